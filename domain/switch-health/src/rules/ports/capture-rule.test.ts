import { describe, expect, it } from 'vitest';

import { bridge, guestPort, healthyConfiguration, healthyFacts, NOW, plainPort } from '../../fixtures/build-facts.ts';
import { issueNames, judgeSeries } from '../../fixtures/judge-series.ts';
import type { SwitchFacts } from '../../switch-facts.ts';

describe('a mirror of a capture', () => {
  it('is a leftover once its capture does not run', () => {
    const running = { runningCaptures: new Set(['c1']) };

    expect(issueNames(judgeSeries(over('m1')).at(-1))).toEqual(['Warning LeftoverCapture br-int/m1']);
    expect(issueNames(judgeSeries(over('m1').map((look) => ({ ...look, ...running }))).at(-1))).toEqual([]);
  });

  it.each([
    [
      'm1',
      'Remove it: ovs-vsctl -- --id=@m get mirror m1 -- remove bridge br-int mirrors @m -- --if-exists del-port cap0',
    ],
    [
      'm$(id)',
      "Remove it: ovs-vsctl -- --id=@m get mirror 'm$(id)' -- remove bridge br-int mirrors @m -- --if-exists del-port cap0",
    ],
    ['m\n', 'Remove it from the mirrors of its bridge'],
  ])('called %j comes with a command that a shell takes as it is meant', (name, advice) => {
    expect(judgeSeries(over(name)).at(-1)?.status.issues).toMatchObject([{ advice }]);
  });
});

/** Two looks at a switch with a mirror, a minute apart. */
function over(name: string): readonly SwitchFacts[] {
  const mirrors = [{ name, externalIds: new Map([['smalt-capture', 'c1']]), outputPort: 'cap0' }];
  const ports = [guestPort('tap1', 'vm1'), plainPort('cap0', { type: 'internal' })];
  const configuration = healthyConfiguration({ bridges: [bridge('br-int', ports, { mirrors })] });
  return [NOW, NOW + 60_000].map((at) => healthyFacts({ at, configuration }));
}
