import type { ComputeMove, MoveProgress } from '@smalt/compute';
import type { Migration, MigrationProgress } from '@smalt/openstack';

import { moveState } from './move-state.ts';

/** The newest move of each instance, the newest first. Ids of migrations grow; times have no more than a second. */
export function newestMoves(migrations: readonly Migration[]): readonly ComputeMove[] {
  const newest = new Map<string, Migration>();
  for (const migration of migrations) {
    const other = newest.get(migration.serverId);
    if (other === undefined || other.id < migration.id) newest.set(migration.serverId, migration);
  }
  return [...newest.values()].toSorted((one, other) => other.id - one.id).map(readMove);
}

function readMove(migration: Migration): ComputeMove {
  return {
    id: String(migration.id),
    instanceId: migration.serverId,
    isLive: migration.type === 'live-migration',
    isResize: migration.type === 'resize',
    state: moveState(migration.status),
    stateText: migration.status,
    // Hosts and targets go by the names of their nodes, too.
    sourceName: migration.sourceNode ?? migration.sourceHost,
    targetName: migration.destinationNode ?? migration.destinationHost,
    startedAt: migration.createdAt,
    updatedAt: migration.updatedAt,
  };
}

/** Memory and disks together. */
export function moveProgress(progress: MigrationProgress): MoveProgress {
  const { memoryTotalBytes = 0, memoryProcessedBytes = 0, memoryRemainingBytes = 0 } = progress;
  const { diskTotalBytes = 0, diskProcessedBytes = 0, diskRemainingBytes = 0 } = progress;
  return {
    totalBytes: memoryTotalBytes + diskTotalBytes,
    sentBytes: memoryProcessedBytes + diskProcessedBytes,
    leftBytes: memoryRemainingBytes + diskRemainingBytes,
  };
}
