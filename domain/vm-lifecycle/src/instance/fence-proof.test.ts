import { describe, expect, it } from 'vitest';

import { at, instance, NOW } from '../fixtures/objects.ts';
import type { FenceProof } from '../node/fence-note.ts';
import type { NodeHealth } from '../node/judge-heartbeat.ts';
import { judgeLoss, type Loss } from './fence-proof.ts';

const alive: NodeHealth = { kind: 'alive', lastHeartbeat: NOW - 1000, silentInMs: 1 };
const silent: NodeHealth = { kind: 'silent', lastHeartbeat: NOW - 600_000 };
const vmi = instance('Running', {
  phaseTransitionTimestamps: [{ phase: 'Scheduled', phaseTransitionTimestamp: at(-3600) }],
});
const boot = { id: 'b1', heartbeat: at(-600) };
const booted: NodeHealth = { ...silent, boot };
const moving = { startTimestamp: at(-700), sourceNode: 'n1', targetNode: 'n2' };

interface Row {
  readonly what: string;
  readonly loss: Loss;
  readonly nodes: Readonly<Record<string, NodeHealth>>;
  readonly proofs?: readonly FenceProof[];
  readonly migrationState?: object;
}

const ROWS: readonly Row[] = [
  { what: 'its node lives', loss: 'none', nodes: { n1: alive } },
  { what: 'its node is silent', loss: 'unproven', nodes: { n1: silent } },
  { what: 'its node is not known', loss: 'unproven', nodes: {} },
  { what: 'its node is silent and off since', loss: 'proven', nodes: { n1: silent }, proofs: [off('n1', -10)] },
  { what: 'another node is off', loss: 'unproven', nodes: { n1: silent }, proofs: [off('n2', -10)] },
  {
    what: 'its node was off before it was last heard of',
    loss: 'unproven',
    nodes: { n1: silent },
    proofs: [off('n1', -601)],
  },
  { what: 'an unknown node was off before the instance came', loss: 'unproven', nodes: {}, proofs: [off('n1', -3601)] },
  { what: 'an unknown node was off after the instance came', loss: 'proven', nodes: {}, proofs: [off('n1', -10)] },
  {
    what: 'its source is off in a migration, and the target lives',
    loss: 'unproven',
    nodes: { n1: silent, n2: alive },
    proofs: [off('n1', -10)],
    migrationState: moving,
  },
  {
    what: 'its source is off in a migration, and the target is silent',
    loss: 'unproven',
    nodes: { n1: silent, n2: silent },
    proofs: [off('n1', -10)],
    migrationState: moving,
  },
  {
    what: 'both ends of a migration are off',
    loss: 'proven',
    nodes: { n1: silent, n2: silent },
    proofs: [off('n1', -10), off('n2', -9)],
    migrationState: moving,
  },
  {
    what: 'its node is off and an earlier migration failed',
    loss: 'proven',
    nodes: { n1: silent, n2: alive },
    proofs: [off('n1', -10)],
    migrationState: { ...moving, failed: true },
  },
  {
    what: 'its source is off and the migration was never begun',
    loss: 'proven',
    nodes: { n1: silent, n2: alive },
    proofs: [off('n1', -10)],
    migrationState: { sourceNode: 'n1', targetNode: 'n2', targetNodeAddress: '192.0.2.2' },
  },
  {
    what: 'its source is off and the target has told since that nothing came',
    loss: 'proven',
    nodes: { n1: silent, n2: alive },
    proofs: [off('n1', -10)],
    migrationState: { ...moving, completed: true, failed: true, endTimestamp: at(-5) },
  },
  {
    what: 'its node shows the boot that is over, by a clock that is behind',
    loss: 'proven',
    nodes: { n1: booted },
    proofs: [{ ...off('n1', -7200), boot }],
  },
  {
    what: 'its node shows another boot, by a clock that is ahead',
    loss: 'unproven',
    nodes: { n1: { ...silent, boot: { ...boot, id: 'b2' } } },
    proofs: [{ ...off('n1', 120), boot }],
  },
  {
    what: 'its node shows that boot and another heartbeat',
    loss: 'unproven',
    nodes: { n1: { ...silent, boot: { ...boot, heartbeat: at(-599) } } },
    proofs: [{ ...off('n1', 120), boot }],
  },
  {
    what: 'its node shows a boot that the proof does not name',
    loss: 'unproven',
    nodes: { n1: booted },
    proofs: [off('n1', 120)],
  },
  {
    what: 'its node shows no boot any more that the proof names',
    loss: 'unproven',
    nodes: { n1: silent },
    proofs: [{ ...off('n1', 120), boot }],
  },
  {
    what: 'it came after its node was off',
    loss: 'unproven',
    nodes: { n1: silent },
    proofs: [off('n1', -10)],
    migrationState: { startTimestamp: at(-9), endTimestamp: at(-5), completed: true, targetNode: 'n1' },
  },
];

describe('judgeLoss', () => {
  it.each(ROWS)('is $loss when $what', ({ loss, nodes, proofs = [], migrationState }) => {
    const status = migrationState === undefined ? vmi.status : { ...vmi.status, migrationState };

    expect(
      judgeLoss({
        vmi: { ...vmi, ...(status === undefined ? {} : { status }) },
        nodes: new Map(Object.entries(nodes)),
        fenceProofs: proofs,
      }),
    ).toBe(loss);
  });

  it('proves nothing about an instance of which is not known when it came', () => {
    const facts = { vmi: instance('Running'), nodes: new Map(), fenceProofs: [off('n1', 0)] };

    expect(judgeLoss(facts)).toBe('unproven');
  });

  it('does not speak of instances that are on no node', () => {
    expect(judgeLoss({ vmi: instance('Scheduling'), nodes: new Map(), fenceProofs: [] })).toBe('none');
  });
});

function off(nodeName: string, seconds: number): FenceProof {
  return { nodeName, offAt: NOW + seconds * 1000 };
}
