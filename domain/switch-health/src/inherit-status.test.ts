import type { OVSNodeStatus } from '@smalt/ovs-api';
import { expect, it } from 'vitest';

import { emptyMemory, type HealthMemory, type Sighting } from './health-memory.ts';
import { inheritStatus } from './inherit-status.ts';
import { IssueRule } from './issue-rule.ts';
import { memoryFromStatus } from './memory-from-status.ts';

const TOLD_AT = Date.parse('2026-01-01T00:00:00Z');
const STATUS: OVSNodeStatus = {
  issues: [
    {
      severity: 'Warning',
      reason: IssueRule.bondUnhealthy,
      subject: 'bond0',
      message: 'bond0 is degraded',
      detectedAt: '2026-01-01T00:00:00Z',
    },
  ],
  conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z' }],
};

it('is what the status says to one who has seen nothing', () => {
  expect(inheritStatus(emptyMemory, STATUS)).toEqual(memoryFromStatus(STATUS));
});

it('keeps what was seen meanwhile, and the earlier time of what both know', () => {
  const pending = sighting('tap1', TOLD_AT + 5_000);
  const known = sighting('bond0', TOLD_AT + 9_000);
  const memory: HealthMemory = {
    ...emptyMemory,
    sightings: new Map([
      ['pending', pending],
      [`${IssueRule.bondUnhealthy}/bond0`, known],
    ]),
    configuration: undefined,
  };

  const inherited = inheritStatus(memory, STATUS);

  expect(inherited.sightings.get('pending')).toBe(pending);
  expect(inherited.sightings.get(`${IssueRule.bondUnhealthy}/bond0`)).toEqual({
    ...known,
    detectedAt: TOLD_AT,
  });
  expect(inherited.conditions).toEqual(STATUS.conditions);
});

it('keeps its own conditions where nothing was told', () => {
  const conditions = STATUS.conditions ?? [];

  expect(inheritStatus({ ...emptyMemory, conditions }, undefined).conditions).toEqual(conditions);
});

function sighting(subject: string, at: number): Sighting {
  const finding = { severity: 'Warning', message: '', advice: '', seenAt: at, graceMs: 60_000 } as const;
  return {
    finding: { ...finding, rule: IssueRule.bondUnhealthy, subject },
    firstAt: at,
    lastAt: at,
    count: 1,
    detectedAt: undefined,
  };
}
