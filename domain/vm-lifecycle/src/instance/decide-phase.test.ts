import { describe, expect, it } from 'vitest';

import { at, guest, instance, launcher, NOW } from '../fixtures/objects.ts';
import { decidePhase, type PhaseFacts } from './decide-phase.ts';

const ALIVE = { kind: 'alive', lastHeartbeat: NOW, silentInMs: 1 } as const;
const SILENT = { kind: 'silent', lastHeartbeat: NOW - 600_000 } as const;
const UNHEARD = { kind: 'silent', lastHeartbeat: undefined } as const;
const starting = {
  vmi: instance('Scheduling'),
  pod: launcher('starting', { nodeName: 'n1' }),
};
const leaving = { vmi: instance('Scheduling', {}, { deletionTimestamp: at(0) }), pod: launcher('leaving') };
const PROOF = { nodeName: 'n1', offAt: NOW - 1000 };
const arrived = { phaseTransitionTimestamps: [{ phase: 'Running', phaseTransitionTimestamp: at(-900) }] };
const running = instance('Running', arrived);
const pinned = guest({ domain: { cpu: { dedicatedCpuPlacement: true }, devices: {} } });
const deleted = { deletionTimestamp: at(0) };
const noStorage = { dataVolumes: 'failed', missingClaims: [], claims: new Map() } as const;
const guaranteed = { ...launcher().status, qosClass: 'Guaranteed' };

const ROWS: readonly (readonly [string, string, Partial<PhaseFacts>])[] = [
  ['Pending', 'a new instance has no pod yet', { vmi: instance('') }],
  ['Pending', 'it waits for its pod', { vmi: instance('Pending') }],
  ['Scheduling', 'its pod exists', { vmi: instance('Pending'), pod: launcher('starting') }],
  ['Failed', 'it is deleted before it has a pod', { vmi: instance('Pending', {}, deleted) }],
  ['Failed', 'a data volume failed', { vmi: instance('Pending'), storage: noStorage }],
  ['Scheduling', 'its pod starts', { vmi: instance('Scheduling'), pod: launcher('starting') }],
  ['Scheduled', 'its pod is ready', { vmi: instance('Scheduling'), pod: launcher('ready') }],
  ['Scheduling', 'its pod is ready but it is deleted', { vmi: instance('Scheduling', {}, deleted), pod: launcher() }],
  ['Scheduling', 'it got no processors of its own', { vmi: instance('Scheduling', {}, {}, pinned), pod: launcher() }],
  [
    'Scheduled',
    'it got processors of its own',
    { vmi: instance('Scheduling', {}, {}, pinned), pod: launcher('ready', { status: guaranteed }) },
  ],
  ['Failed', 'its pod ended before it was ready', { vmi: instance('Scheduling'), pod: launcher('ended') }],
  ['Failed', 'its pod is deleted before it was ready', { vmi: instance('Scheduling'), pod: launcher('leaving') }],
  ['Failed', 'its pod is gone before it was ready', { vmi: instance('Scheduling') }],
  ['Failed', 'its pod starts on a node that has fallen silent', { ...starting, nodes: new Map([['n1', SILENT]]) }],
  ['Failed', 'its pod leaves a node that has fallen silent', { ...leaving, nodes: new Map([['n1', SILENT]]) }],
  ['Scheduling', 'its pod starts on a node that was never heard', { ...starting, nodes: new Map([['n1', UNHEARD]]) }],
  ['Scheduled', 'the handler has not defined it yet', { vmi: instance('Scheduled'), pod: launcher() }],
  ['Running', 'all is well', { vmi: running, pod: launcher() }],
  ['Running', 'its pod is gone: the handler sees what became of the guest', { vmi: running }],
  ['Running', 'its pod has ended: the handler sees what became of the guest', { vmi: running, pod: launcher('ended') }],
  ['Running', 'its node is silent', { vmi: running, pod: launcher(), nodes: new Map([['n1', SILENT]]) }],
  ['Running', 'its node is silent and its pod is gone', { vmi: running, nodes: new Map([['n1', SILENT]]) }],
  ['Running', 'its node does not exist any more', { vmi: running, nodes: new Map() }],
  ['Failed', 'its node is silent and off', { vmi: running, nodes: new Map([['n1', SILENT]]), fenceProofs: [PROOF] }],
  ['Failed', 'its node does not exist and is off', { vmi: running, nodes: new Map(), fenceProofs: [PROOF] }],
  ['Running', 'its node was off but lives', { vmi: running, fenceProofs: [PROOF] }],
  ['Succeeded', 'it has ended', { vmi: instance('Succeeded'), pod: launcher() }],
  ['Unknown', 'nobody knows', { vmi: instance('Unknown') }],
];

describe('decidePhase', () => {
  it.each(ROWS)('is %s when %s', (phase, _when, facts) => {
    expect(decidePhase(all(facts)).phase).toBe(phase);
  });

  it.each([
    ['was lost with the guest', { vmi: running, fenceProofs: [PROOF] }],
    ['was lost before there was a guest', starting],
    ['was lost before there was a guest, which nobody wants any more', leaving],
  ])('says that the node %s', (_when, lost) => {
    const facts = all({ ...lost, nodes: new Map([['n1', SILENT]]) });

    expect(decidePhase(facts)).toEqual({ phase: 'Failed', reason: 'NodeUnresponsive' });
  });
});

function all(facts: Partial<PhaseFacts>): PhaseFacts {
  return {
    vmi: running,
    pod: undefined,
    pods: [],
    storage: { dataVolumes: 'ready', missingClaims: [], claims: new Map() },
    hasOwner: true,
    hasActiveMigration: false,
    nodes: new Map([['n1', ALIVE]]),
    fenceProofs: [],
    now: NOW,
    ...facts,
  };
}
