import type { OVSNodeStatus } from '@smalt/ovs-api';
import { expect, it } from 'vitest';

import { decideWrite, type WriteDecision } from './decide-write.ts';

const written: OVSNodeStatus = {
  ovsVersion: '3.1.0',
  bridges: [{ name: 'br-int', ports: 3, flows: 10, status: 'Active' }],
  flowStats: { totalFlows: 10 },
  metrics: { packetsReceived: 1 },
};

it.each<{ what: string; status: OVSNodeStatus; ageMs: number; decision: WriteDecision }>([
  { what: 'the same', status: { ...written }, ageMs: 0, decision: { kind: 'nothing' } },
  { what: 'the same after long', status: { ...written }, ageMs: 99_000, decision: { kind: 'nothing' } },
  { what: 'a version', status: { ...written, ovsVersion: '3.2.0' }, ageMs: 0, decision: { kind: 'write' } },
  {
    what: 'the status of a bridge',
    status: { ...written, bridges: [{ name: 'br-int', ports: 3, flows: 10, status: 'Down' }] },
    ageMs: 0,
    decision: { kind: 'write' },
  },
  {
    what: 'packets',
    status: { ...written, metrics: { packetsReceived: 2 } },
    ageMs: 20_000,
    decision: { kind: 'later', inMs: 40_000 },
  },
  {
    what: 'flows',
    status: {
      ...written,
      bridges: [{ name: 'br-int', ports: 3, flows: 11, status: 'Active' }],
      flowStats: { totalFlows: 11 },
    },
    ageMs: 0,
    decision: { kind: 'later', inMs: 60_000 },
  },
  {
    what: 'packets after a minute',
    status: { ...written, metrics: { packetsReceived: 2 } },
    ageMs: 60_000,
    decision: { kind: 'write' },
  },
])('decides $decision.kind about $what', ({ status, ageMs, decision }) => {
  expect(decideWrite({ written, status, ageMs, countersMs: 60_000 })).toEqual(decision);
});

it('writes what was never written', () => {
  expect(decideWrite({ written: undefined, status: {}, ageMs: 0, countersMs: 60_000 })).toEqual({ kind: 'write' });
});
