import type { Migration } from '@smalt/fleet-api';
import type { Domain } from '@smalt/libvirt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { move, startMigrationBed, type MigrationBed } from './migration-bed.ts';

const ABORTED = 3;
const MOVED = 4;

// The second test takes over where the first has left the guest.
describe('a guest that moves again at once', { timeout: 120_000 }, () => {
  let bed: MigrationBed;
  let guest: Domain;

  beforeAll(async () => {
    bed = await startMigrationBed();
    guest = await bed.boot('one');
  });

  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
  });

  it('has a record of each try that was aborted', async () => {
    await using _agentOfA = await bed.a.startAgent();
    await using _agentOfB = await bed.b.startAgent();

    for (let count = 1; count <= ABORTED; count++) {
      const moved = move(bed.a, bed.b, guest, { bandwidth: 1n }).catch((error: unknown) => error);
      await bed.until((all) => all.length === count && all.some((each) => isFull(each) && isSending(each)));
      await bed.a.daemon.domainAbortJob({ domain: guest });
      await moved;
    }
    const told = await bed.until((all) => all.every(isOverForBoth));

    expect(told.map(lineOf).toSorted()).toEqual(Array(ABORTED).fill('node-a node-b cancelled migration_out'));
    expect(startsOf(told).size).toBe(ABORTED);
  });

  it('has one record of each journey that it made while the API was away', async () => {
    await using agents = new AsyncDisposableStack();
    for (const host of [bed.a, bed.b]) agents.use(await host.startAgent());
    const { items: before } = await bed.migrations.list();

    await bed.server.kill();
    for (let count = 0; count < MOVED; count++) {
      const [from, to] = count % 2 === 0 ? [bed.a, bed.b] : [bed.b, bed.a];
      await move(from, to, guest, { bandwidth: 500n });
    }
    await bed.server.restart(AbortSignal.timeout(60_000));
    const count = before.length + MOVED;
    // One that is being put away is there twice for a moment; an agent that stops now would finish that when it is back.
    const isTold = (all: readonly Migration[]): boolean => all.length === count && startsOf(all).size === count;
    await bed.until((all) => isTold(all) && all.every(isOverForBoth));
    await agents.disposeAsync();
    const { items: after } = await bed.migrations.list();
    const old = startsOf(before);

    expect(inOrder(after.filter(({ status }) => !old.has(status?.started))).map(lineOf)).toEqual([
      'node-a node-b completed migration_out',
      'node-b node-a completed migration_out',
      'node-a node-b completed migration_out',
      'node-b node-a completed migration_out',
    ]);
  });
});

function inOrder(migrations: readonly Migration[]): readonly Migration[] {
  return migrations.toSorted((one, other) => ((one.status?.started ?? '') < (other.status?.started ?? '') ? -1 : 1));
}

function lineOf({ status }: Migration): string {
  return [status?.origin, status?.destination, status?.type, status?.operation].join(' ');
}

/** When they began. */
function startsOf(migrations: readonly Migration[]): ReadonlySet<string | undefined> {
  return new Set(migrations.map(({ status }) => status?.started));
}

function isOverForBoth(migration: Migration): boolean {
  return isFull(migration) && !isGoingOn(migration) && migration.status?.operation === 'migration_out';
}

function isFull({ status }: Migration): boolean {
  return status?.origin !== undefined && status.destination !== undefined;
}

function isSending(migration: Migration): boolean {
  return isGoingOn(migration) && migration.status?.memIteration === 1;
}

function isGoingOn({ status }: Migration): boolean {
  return status?.type === 'unbounded';
}
