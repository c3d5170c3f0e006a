import { expect, it } from 'vitest';

import { launcher, migration } from '../fixtures/objects.ts';
import { MigrationSightings } from './migration-sightings.ts';

const KEY = 'default/mig';

it('counts from when it first saw a phase and a target pod', () => {
  const sightings = new MigrationSightings();

  const seen = [
    sightings.note(KEY, migration('Pending'), undefined, 1000),
    sightings.note(KEY, migration('Pending'), target('a'), 2000),
    sightings.note(KEY, migration('Scheduling'), target('a'), 3000),
    sightings.note(KEY, migration('Scheduling'), target('a'), 5000),
  ];

  expect(seen).toEqual([
    { phaseMs: 0, targetPodMs: 0 },
    { phaseMs: 1000, targetPodMs: 0 },
    { phaseMs: 0, targetPodMs: 1000 },
    { phaseMs: 2000, targetPodMs: 3000 },
  ]);
});

it('counts anew for another pod, for another migration of the same name, and for what it was told to forget', () => {
  const sightings = new MigrationSightings();
  const another = migration('Scheduling', { metadata: { uid: 'another' } });
  sightings.note(KEY, migration('Scheduling'), target('a'), 1000);

  expect(sightings.note(KEY, migration('Scheduling'), target('b'), 2000)).toEqual({ phaseMs: 1000, targetPodMs: 0 });
  expect(sightings.note(KEY, another, target('b'), 3000)).toEqual({ phaseMs: 0, targetPodMs: 1000 });
  sightings.forget(KEY);
  expect(sightings.note(KEY, another, target('b'), 4000)).toEqual({ phaseMs: 0, targetPodMs: 0 });
});

function target(uid: string): ReturnType<typeof launcher> {
  const pod = launcher('starting');
  return { ...pod, metadata: { ...pod.metadata, uid } };
}
