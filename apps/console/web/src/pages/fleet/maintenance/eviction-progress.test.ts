import type { Eviction } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { pictureEviction } from './eviction-progress.ts';

it('tells how many have left and what the others do, those that move first and the next in turn before the last', () => {
  const picture = pictureEviction(
    eviction({
      instances: [
        { id: 'a', name: 'web-1', state: 'Moving', attempts: 1 },
        { id: 'b', state: 'Failed', attempts: 3, message: 'no host has room' },
      ],
      outstandingInstances: ['c', 'd', 'b', 'a'],
      progress: { total: 8, moved: 4, moving: 1, failed: 1, left: 4, secondsLeft: 40, mibPerSecond: 512 },
    }),
  );

  expect(picture.fraction).toBe(0.5);
  expect(picture.words).toBe('4 of 8 have left, 1 moving, 1 could not be moved, 512 MiB/s, about 40 s to go');
  expect(picture.machines.map(({ name, words }) => `${name}: ${words}`)).toEqual([
    'web-1: Is moving',
    'b: Could not be moved',
    'd: Waits for its turn',
    'c: Waits for its turn',
  ]);
});

it('is over when the condition says so, also when there was nothing to move', () => {
  const picture = pictureEviction(
    eviction({
      conditions: [
        { type: 'Evicting', status: 'False', reason: 'Succeeded', message: 'all have left', lastTransitionTime: '' },
      ],
    }),
  );

  expect(picture).toMatchObject({ isOver: true, fraction: 1, words: 'all have left' });
});

it('has not begun as long as nobody has said anything', () => {
  expect(pictureEviction(eviction(undefined))).toEqual({
    fraction: 0,
    words: 'It has not begun yet',
    isOver: false,
    machines: [],
  });
});

function eviction(status: Eviction['status']): Eviction {
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Eviction',
    metadata: { name: 'hv1' },
    spec: { hypervisor: 'hv1', reason: 'new memory' },
    ...(status === undefined ? {} : { status }),
  };
}
