import type { Migration, MigrationProgress } from '@smalt/openstack';
import { describe, expect, it } from 'vitest';

import { moveProgress, newestMoves } from './read-move.ts';

describe('moves', () => {
  it('are the newest of each instance, whatever the order of the records', () => {
    const records = [
      migration({ id: 3, serverId: 'b', status: 'running', type: 'live-migration', destinationHost: 'node2' }),
      migration({ id: 1, serverId: 'a', status: 'error' }),
      migration({ id: 4, serverId: 'a', status: 'finished', type: 'resize' }),
      migration({ id: 2, serverId: 'b', status: 'failed' }),
      migration({ id: 4, serverId: 'a', status: 'finished', type: 'resize' }),
    ];

    expect(newestMoves(records)).toEqual([
      move({ id: '4', instanceId: 'a', isResize: true, state: 'unconfirmed', stateText: 'finished' }),
      move({ id: '3', instanceId: 'b', isLive: true, state: 'running', stateText: 'running', targetName: 'node2' }),
    ]);
  });

  it('have sent memory and disks together', () => {
    const progress = {
      ...migration({}),
      memoryTotalBytes: 100,
      memoryProcessedBytes: 60,
      memoryRemainingBytes: 40,
      diskTotalBytes: 10,
      diskProcessedBytes: 1,
      diskRemainingBytes: 9,
    };

    expect(moveProgress(progress)).toEqual({ totalBytes: 110, sentBytes: 61, leftBytes: 49 });
  });

  it('have sent nothing while the host has not told', () => {
    const unknown: MigrationProgress = {
      ...migration({}),
      memoryTotalBytes: undefined,
      memoryProcessedBytes: undefined,
      memoryRemainingBytes: undefined,
      diskTotalBytes: undefined,
      diskProcessedBytes: undefined,
      diskRemainingBytes: undefined,
    };

    expect(moveProgress(unknown)).toEqual({ totalBytes: 0, sentBytes: 0, leftBytes: 0 });
  });
});

function migration(fields: Partial<Migration>): Migration {
  return {
    id: 1,
    uuid: 'u',
    serverId: 'a',
    status: 'running',
    type: 'migration',
    sourceHost: 'node1',
    destinationHost: undefined,
    sourceNode: 'node1',
    destinationNode: undefined,
    createdAt: '2026-01-02T03:04:05Z',
    updatedAt: undefined,
    ...fields,
  };
}

function move(fields: object) {
  return {
    isLive: false,
    isResize: false,
    sourceName: 'node1',
    targetName: undefined,
    startedAt: '2026-01-02T03:04:05Z',
    updatedAt: undefined,
    ...fields,
  };
}
