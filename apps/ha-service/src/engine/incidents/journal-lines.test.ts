import { describe, expect, it } from 'vitest';

import { incident, rebuild } from '../fixtures/engine-builders.ts';
import { changeLines, openingLines } from './journal-lines.ts';

const FENCE = { level: 0, askedAt: 2_000, answer: undefined };
const OFF = { level: 0, at: 3_000, session: 's1', power: 'off' } as const;

describe('openingLines', () => {
  it('says who condemned the host', () => {
    expect(openingLines(incident())).toEqual([
      {
        at: 1_000,
        kind: 'incident-opened',
        severity: 'critical',
        host: 'n1',
        incidentId: 'i1',
        instanceId: undefined,
        message: 'n1 is condemned by agent, bmc',
        by: undefined,
      },
    ]);
  });
});

describe('changeLines', () => {
  it.each([
    {
      what: 'an order',
      after: incident({ fences: [FENCE] }),
      line: { kind: 'fence', severity: 'warning', message: 'n1 is told to power off by redfish' },
    },
    {
      what: 'a reading that is another',
      after: incident({ readings: [{ ...OFF, power: 'unknown', message: 'no route' }] }),
      line: { kind: 'fence', severity: 'warning', message: 'the power of n1 reads unknown by redfish (no route)' },
    },
    {
      what: 'a proof',
      after: incident({ proof: { kind: 'readings', since: 3_000, readings: [OFF, OFF] } }),
      line: { kind: 'fence', severity: 'info', message: 'n1 is proved to be off by 2 readings by redfish' },
    },
    {
      what: 'the word of a person',
      after: incident({ proof: { kind: 'person', since: 3_000, by: 'ann', note: 'the plug is out' } }),
      line: { kind: 'fence', severity: 'info', message: 'n1 is proved to be off by the word of ann: the plug is out' },
    },
    {
      what: 'a step',
      after: incident({ state: 'fencing' }),
      line: { kind: 'incident-step', severity: 'info', message: 'the incident of n1 goes from detected to fencing' },
    },
    {
      what: 'an end',
      after: incident({ state: 'failed', outcome: 'web was not' }),
      line: {
        kind: 'incident-over',
        severity: 'critical',
        message: 'the incident of n1 is over as failed: web was not',
      },
    },
    {
      what: 'a wait for a person',
      after: incident({ wait: { reason: 'no-proof', message: 'look at it', needsPerson: true } }),
      line: { kind: 'incident-waits', severity: 'critical', message: 'n1 (no-proof): look at it' },
    },
    {
      what: 'an instance',
      after: incident({ instances: [rebuild('web', { state: 'failed', message: 'no room' })] }),
      line: { kind: 'rebuild', severity: 'critical', instanceId: 'web', message: 'web: no room' },
    },
  ])('tells of $what', ({ after, line }) => {
    expect(changeLines(incident(), after, 4_000)).toMatchObject([{ at: 4_000, host: 'n1', incidentId: 'i1', ...line }]);
  });

  it('tells the answer to an order when it comes, and no order twice', () => {
    const before = incident({ fences: [FENCE] });

    const lines = changeLines(before, incident({ fences: [{ ...FENCE, answer: 'the order was taken' }] }), 4_000);

    expect(lines.map(({ message }) => message)).toEqual(['n1 by redfish: the order was taken']);
  });

  it('does not repeat a reading, a wait or an instance that stay as they are', () => {
    const wait = { reason: 'evacuations', message: '3 instances', needsPerson: false } as const;
    const before = incident({ readings: [OFF], wait, instances: [rebuild('web')] });
    const later = { ...OFF, at: 4_000, session: 's2' };

    const after = incident({
      readings: [OFF, later],
      wait: { ...wait, message: '2 instances' },
      instances: [rebuild('web', { message: 'it still waits' })],
    });

    expect(changeLines(before, after, 4_000)).toEqual([]);
  });
});
