import type { Lease } from '@smalt/controller-runtime';
import { expect, it } from 'vitest';

import { LeaseSightings } from './lease-sightings.ts';

const [FIRST, NEXT] = ['2026-01-01T00:00:00.000000Z', '2026-01-01T00:00:10.000000Z'];

it('knows when a lease was renewed where that was seen, and only that its node lived once where it was not', () => {
  const sightings = new LeaseSightings();

  sightings.take({ key: 'seen', old: undefined, current: lease('seen', FIRST) }, undefined);
  sightings.take({ key: 'seen', old: lease('seen', FIRST), current: lease('seen', NEXT) }, 5_000);
  sightings.take({ key: 'missed', old: undefined, current: lease('missed', FIRST) }, undefined);
  sightings.take({ key: 'missed', old: lease('missed', FIRST), current: lease('missed', NEXT) }, undefined);

  expect([sightings.seenAt('seen'), sightings.seenAt('missed')]).toEqual([5_000, 0]);
});

it('misses no lease that is gone, whether that was seen or not', () => {
  const sightings = new LeaseSightings();
  for (const name of ['seen', 'missed']) {
    sightings.take({ key: name, old: undefined, current: lease(name, FIRST) }, 4_000);
    sightings.take({ key: name, old: lease(name, FIRST), current: lease(name, NEXT) }, 5_000);
  }

  sightings.take({ key: 'seen', old: lease('seen', NEXT), current: undefined }, 6_000);
  sightings.take({ key: 'missed', old: lease('missed', NEXT), current: undefined }, undefined);

  expect([sightings.seenAt('seen'), sightings.seenAt('missed')]).toEqual([undefined, undefined]);
});

function lease(name: string, renewTime: string): Lease {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name, uid: `uid-of-${name}` },
    spec: { renewTime },
  };
}
