import { expect, it } from 'vitest';

import { node, NOW } from '../fixtures/objects.ts';
import { fenceNote, fenceProofOf, isProvenOff, isStillOff, noFenceNote, seenNode } from './fence-note.ts';
import { judgeHeartbeat } from './judge-heartbeat.ts';

const MINUTE = 60_000;
const HEARD = { heardAt: 0, now: 0 };

it('declares dead the boot and the heartbeat that the node shows', () => {
  const dead = noted(booted('b1', -5), NOW - 10 * MINUTE);

  expect(fenceProofOf(dead)).toEqual({
    nodeName: 'n1',
    offAt: NOW - 10 * MINUTE,
    boot: { id: 'b1', heartbeat: dead.metadata.annotations?.['kubevirt.io/heartbeat'] },
  });
  expect([isProvenOff(dead, NOW), judgeHeartbeat(dead, HEARD).kind]).toEqual([true, 'silent']);
});

it.each([
  ['another boot', { bootID: 'b2', heartbeat: -5 }],
  ['another heartbeat', { bootID: 'b1', heartbeat: -4 }],
])('counts no more when the node shows %s, however far ahead the clock was', (_, { bootID, heartbeat }) => {
  const dead = noted(booted('b1', -5), NOW + 10 * MINUTE);
  const back = booted(bootID, heartbeat);
  const annotations = { ...dead.metadata.annotations, ...back.metadata.annotations };

  const returned = { ...back, metadata: { ...back.metadata, annotations } };

  expect([isProvenOff(returned, 0), judgeHeartbeat(returned, HEARD).kind]).toEqual([false, 'alive']);
});

it('goes by the clocks where no boot is known', () => {
  const dead = noted(node('n1', -5), NOW);

  expect(fenceProofOf(dead)).toEqual({ nodeName: 'n1', offAt: NOW });
  expect([isProvenOff(dead, NOW - 1), isProvenOff(dead, NOW)]).toEqual([true, false]);
  expect(isStillOff({ nodeName: 'n1', offAt: NOW - 5000 }, seenNode(dead))).toBe(false);
});

it('is taken back as a whole', () => {
  expect(Object.keys(noFenceNote())).toEqual(Object.keys(fenceNote(booted('b1', 0), NOW)));
});

function booted(bootID: string, heartbeatSeconds: number) {
  return { ...node('n1', heartbeatSeconds), status: { nodeInfo: { bootID } } };
}

function noted(found: ReturnType<typeof node>, now: number) {
  const note = Object.entries(fenceNote(found, now)).flatMap(([key, value]) => (value === null ? [] : [[key, value]]));
  const annotations: Record<string, string> = { ...found.metadata.annotations, ...Object.fromEntries(note) };
  return { ...found, metadata: { ...found.metadata, annotations } };
}
