import type { Migration } from '@smalt/fleet-api';
import { expect, it } from 'vitest';

import { awaitedLater } from './awaited-later.ts';
import { move, startMigrationBed } from './migration-bed.ts';

it(
  'shows what happened to a guest that moved, was stopped on its way back, and came back at last',
  { timeout: 240_000 },
  async () => {
    await using bed = await startMigrationBed();
    await using _agentOfA = await bed.a.startAgent();
    await using _agentOfB = await bed.b.startAgent();
    const guest = await bed.boot('traveller');

    const seen = awaitedLater(bed.until((all) => all.some(({ status }) => status?.memIteration === 1)));
    await move(bed.a, bed.b, guest, { bandwidth: 40n });
    const underWay = await seen;
    await bed.until((all) => isTold(all, 1));
    const back = move(bed.b, bed.a, guest, { bandwidth: 4n }).catch((error: unknown) => error);
    await bed.until((all) => all.some(({ status }) => status?.type === 'unbounded' && status.memBps !== undefined));
    await bed.b.daemon.domainAbortJob({ domain: guest });
    const refusal = await back;
    await bed.until((all) => isTold(all, 2));
    await move(bed.b, bed.a, guest);
    const told = await bed.until((all) => isTold(all, 3));

    expect(underWay[0]?.status).toMatchObject({ origin: 'node-a', type: 'unbounded', operation: 'migration_out' });
    // The destination may end before libvirt has put the abort into words.
    expect(refusal).toMatchObject({ code: expect.stringMatching(/^(?:operation-aborted|internal-error)$/) });
    const [latest, first, second] = told.toSorted(byName);
    expect(latest?.metadata.name).toBe(guest.uuid);
    expect([first?.status, second?.status, latest?.status]).toEqual([
      expect.objectContaining({ origin: 'node-a', destination: 'node-b', type: 'completed' }),
      expect.objectContaining({ origin: 'node-b', destination: 'node-a', type: 'cancelled' }),
      expect.objectContaining({ origin: 'node-b', destination: 'node-a', type: 'completed' }),
    ]);
    expect(second?.status?.errMsg).toBe('cancelled at the origin, where the guest goes on');
    // For a moment after the abort, libvirt calls the job active and all its figures are zero.
    expect(second?.status).toMatchObject({ memTotal: '128.5 MiB', memBps: expect.stringMatching(/ [KM]?i?B\/s$/) });
    expect(first?.status).toMatchObject({ downtime: expect.stringMatching(/^[\d.]+m?s$/), memTotal: '128.5 MiB' });

    const table = await bed.kubectl('get', 'migrations');

    expect(table.split('\n')[0]?.split(/ {2,}/)).toEqual(HEADINGS);
    const rows = table.trim().split('\n').slice(1);
    const time = String.raw`(\d+m)?[\d.]+m?s`;
    const bytes = String.raw`[\d.]+ [KMG]?i?B`;
    const figures = `${time} +${time} +${bytes} +${bytes} +${bytes} +${bytes}/s +\\d+/s +\\d+`;
    const line = (name: string, words: string): RegExp => new RegExp(`^${name} +${words} +migration_out +${figures}$`);
    expect(rows[0]).toMatch(line(guest.uuid, 'node-b +node-a +completed'));
    expect(rows[1]).toMatch(line(`${guest.uuid}-\\d{14}`, 'node-a +node-b +completed'));
    expect(rows[2]).toMatch(line(`${guest.uuid}-\\d{14}`, 'node-b +node-a +cancelled'));
    expect(rows).toHaveLength(3);
  },
);

const HEADINGS = [
  'NAME',
  'ORIGIN',
  'DESTINATION',
  'TYPE',
  'OPERATION',
  'STARTED',
  'ELAPSED',
  'DATA TOTAL',
  'DATA PROCESSED',
  'DATA REMAINING',
  'MEMORY TX',
  'MEMORY DIRTY RATE',
  'MEMORY ITERATION',
];

/** Whether there are so many records, all over, and both hosts of each are known. */
function isTold(all: readonly Migration[], count: number): boolean {
  // The record of the migration before is copied before its place is taken: for a moment it is there twice.
  const beginnings = new Set(all.map(({ status }) => status?.started));
  return (
    all.length === count &&
    beginnings.size === count &&
    all.every(({ status }) => {
      const isOver = ['completed', 'failed', 'cancelled'].includes(status?.type ?? '');
      return isOver && status?.operation === 'migration_out' && status.destination !== undefined;
    })
  );
}

function byName(left: Migration, right: Migration): number {
  return left.metadata.name < right.metadata.name ? -1 : 1;
}
