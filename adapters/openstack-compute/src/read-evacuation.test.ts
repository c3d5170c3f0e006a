import type { Migration } from '@smalt/openstack';
import { describe, expect, it } from 'vitest';

import { evacuationsSince } from './read-evacuation.ts';

const SINCE = new Date('2026-01-02T03:04:05.700Z');

describe('evacuationsSince', () => {
  it.each([
    ['accepted', 'open', false],
    ['pre-migrating', 'open', false],
    ['migrating', 'open', false],
    ['post-migrating', 'open', false],
    // A word of some newer Nova: nobody may start a second one on the strength of it.
    ['dreaming', 'open', false],
    ['done', 'done', false],
    ['completed', 'done', true],
    ['failed', 'failed', false],
    ['error', 'failed', false],
    ['cancelled', 'failed', false],
  ])('takes a record that says %s for %s, and the old host for cleared: %s', (status, state, isCleared) => {
    const [evacuation] = evacuationsSince(
      [migration({ status, destinationHost: 'node2', destinationNode: 'node2' })],
      SINCE,
    );

    expect(evacuation).toMatchObject({ state, stateText: status, isCleared });
  });

  it('takes one without a target, which the return of its host has closed, for failed', () => {
    const [evacuation] = evacuationsSince([migration({ status: 'completed', destinationHost: 'node2' })], SINCE);

    expect(evacuation).toMatchObject({ state: 'failed', stateText: 'completed', isCleared: true });
  });

  it('names hosts by their nodes, and leaves out what is not known', () => {
    const known = migration({ id: 7, sourceNode: 'n1.example.org', destinationNode: 'n2.example.org' });

    expect(evacuationsSince([known], SINCE)).toEqual([
      {
        id: '7',
        instanceId: 'a',
        state: 'open',
        stateText: 'accepted',
        sourceName: 'n1.example.org',
        targetName: 'n2.example.org',
        isCleared: false,
        startedAt: '2026-01-02T03:04:05Z',
      },
    ]);
    const wished = migration({ sourceNode: undefined, destinationHost: 'node2' });
    expect(evacuationsSince([wished], SINCE)).toMatchObject([{ sourceName: 'node1', targetName: undefined }]);
  });

  it.each<readonly [string, Partial<Migration>, boolean]>([
    ['open and old', { createdAt: '2020-01-01T00:00:00Z', updatedAt: '2020-01-01T00:00:00Z' }, true],
    ['ended before', { status: 'done', updatedAt: '2026-01-02T03:04:04Z' }, false],
    ['ended in that second', { status: 'done', updatedAt: '2026-01-02T03:04:05Z' }, true],
    [
      'ended since, begun before',
      { status: 'failed', createdAt: '2020-01-01T00:00:00Z', updatedAt: '2027-01-01T00:00:00Z' },
      true,
    ],
    ['ended at a time that nobody knows', { status: 'done', createdAt: undefined, updatedAt: undefined }, true],
    ['of another kind', { type: 'live-migration' }, false],
  ])('tells of one that is %s: %s', (_name, fields, isTold) => {
    expect(evacuationsSince([migration(fields)], SINCE)).toHaveLength(isTold ? 1 : 0);
  });

  it('gives the oldest first', () => {
    const listed = evacuationsSince(
      [10, 9, 2].map((id) => migration({ id })),
      SINCE,
    );

    expect(listed.map(({ id }) => id)).toEqual(['2', '9', '10']);
  });
});

function migration(fields: Partial<Migration>): Migration {
  return {
    id: 1,
    uuid: 'u',
    serverId: 'a',
    status: 'accepted',
    type: 'evacuation',
    sourceHost: 'node1',
    destinationHost: undefined,
    sourceNode: 'node1',
    destinationNode: undefined,
    createdAt: '2026-01-02T03:04:05Z',
    updatedAt: undefined,
    ...fields,
  };
}
