import { expect, it } from 'vitest';

import { refreshesOf } from './refreshes-of.ts';

it('counts what the agent tells of its flow tables alone', () => {
  const metrics = [
    'smalt_ovs_agent_refresh_seconds_sum{source="flow-tables"} 0.5',
    'smalt_ovs_agent_refresh_seconds_count{source="bonds"} 7',
    'smalt_ovs_agent_refresh_seconds_count{source="flow-tables"} 12',
  ].join('\n');

  expect(refreshesOf(metrics)).toBe(12);
});

it('counts none before the first', () => {
  expect(refreshesOf('')).toBe(0);
});
