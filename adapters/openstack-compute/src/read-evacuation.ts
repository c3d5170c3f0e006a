import type { ComputeEvacuation } from '@smalt/compute';
import type { Migration } from '@smalt/openstack';

import { evacuationState } from './evacuation-state.ts';

/**
 * Of the records of a host, its evacuations that are open, and those that ended since then, the oldest first. Ids of
 * migrations grow; times have no more than a second.
 */
export function evacuationsSince(migrations: readonly Migration[], since: Date): readonly ComputeEvacuation[] {
  const earliestMs = Math.floor(since.getTime() / 1_000) * 1_000;
  return migrations
    .filter(({ type }) => type === 'evacuation')
    .filter((migration) => evacuationState(migration) === 'open' || !endedBefore(migration, earliestMs))
    .toSorted((one, other) => one.id - other.id)
    .map(readEvacuation);
}

function endedBefore({ updatedAt, createdAt }: Migration, earliestMs: number): boolean {
  const changedAt = updatedAt ?? createdAt;
  return changedAt !== undefined && Date.parse(changedAt) < earliestMs;
}

function readEvacuation(migration: Migration): ComputeEvacuation {
  return {
    id: String(migration.id),
    instanceId: migration.serverId,
    state: evacuationState(migration),
    stateText: migration.status,
    sourceName: migration.sourceNode ?? migration.sourceHost,
    // A host that was merely wished for is noted too, but by the name of its service and without its node.
    targetName: migration.destinationNode,
    // Nova says so once the agent of the dead host has come back and removed its guest.
    isCleared: migration.status === 'completed',
    startedAt: migration.createdAt,
  };
}
