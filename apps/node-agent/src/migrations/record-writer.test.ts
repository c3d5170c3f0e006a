import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { untilObject } from '@smalt/bed-kubernetes';
import { eventKind, EventRecorder, systemClock, type Clock } from '@smalt/controller-runtime';
import { migrationKind, type Migration } from '@smalt/fleet-api';
import type { MigrationRole, Observation } from '@smalt/migration-record';
import { createIgnore, createLogger, MetricsRegistry } from '@smalt/service-runtime';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startFleetBed, type FleetBed } from '../fixtures/fleet-bed.ts';
import { MigrationMetrics } from './migration-metrics.ts';
import { PendingFile } from './pending-file.ts';
import { RecordWriter } from './record-writer.ts';
import { sweepRecords } from './sweep-records.ts';

describe('two hosts that write of the same guests', () => {
  let bed: FleetBed;
  let guest: string;

  beforeAll(async () => {
    bed = await startFleetBed();
  });
  afterAll(() => bed[Symbol.asyncDispose]());
  beforeEach(() => {
    guest = crypto.randomUUID();
  });

  it('make one record of what each of them sees', async () => {
    await using a = await startWriter(bed, 'a');
    await using b = await startWriter(bed, 'b');

    a.report(seen(guest, 'origin', 0));
    b.report(seen(guest, 'destination', 0.4));
    await bothKnown(bed, guest);
    a.report(seen(guest, 'origin', 0, 5));
    b.report(seen(guest, 'destination', 0.4, 4.5));
    const [record, ...others] = await settled(bed, [a, b], guest);

    expect(others).toEqual([]);
    expect(record?.metadata).toMatchObject({
      name: guest,
      labels: { 'smalt.dev/instance': guest, 'smalt.dev/origin': 'a', 'smalt.dev/destination': 'b' },
    });
    expect(record?.status).toEqual({
      started: at(0),
      origin: 'a',
      destination: 'b',
      type: 'completed',
      operation: 'migration_out',
      timeElapsed: '5s',
    });
  });

  it('come to the same when all that happened is told late, in any order', async () => {
    await using a = await startWriter(bed, 'a');
    const journeys = [
      [seen(guest, 'origin', 0, 5, 'a'), seen(guest, 'destination', 0.4, 4.5, 'b')],
      [seen(guest, 'destination', 60.2, 2, 'a'), seen(guest, 'origin', 60, 2.1, 'b')],
      [seen(guest, 'origin', 120, 3, 'a'), seen(guest, 'destination', 120.2, 3, 'b')],
    ] as const;

    for (const [ofA] of journeys) a.report(ofA);
    await a.idle();
    await using b = await startWriter(bed, 'b');
    for (const [, ofB] of journeys) b.report(ofB);
    const records = await settled(bed, [a, b], guest);

    expect(records.map(({ metadata, status }) => [metadata.name, status?.origin, status?.destination])).toEqual([
      [guest, 'a', 'b'],
      [`${guest}-20260101000000`, 'a', 'b'],
      [expect.stringMatching(new RegExp(`^${guest}-202601010001`)), 'b', 'a'],
    ]);
  });

  it('finish the record that was put away when the next migration has begun', async () => {
    await using a = await startWriter(bed, 'a');
    await using b = await startWriter(bed, 'b');
    a.report(seen(guest, 'origin', 0));
    b.report(seen(guest, 'destination', 0.4));
    await bothKnown(bed, guest);

    b.report(seen(guest, 'destination', 0.4, 5));
    await b.idle();
    b.report(seen(guest, 'origin', 10, undefined, 'b'));
    await b.idle();
    a.report(seen(guest, 'origin', 0, 5.2));
    a.report(seen(guest, 'destination', 10.1, undefined, 'a'));
    const records = await settled(bed, [a, b], guest);

    expect(records.map(({ status }) => [status?.origin, status?.destination, status?.type])).toEqual([
      ['b', 'a', 'unbounded'],
      ['a', 'b', 'completed'],
    ]);
  });

  it('write nothing when nothing is new', async () => {
    await using a = await startWriter(bed, 'a');
    a.report(seen(guest, 'origin', 0));
    const [before] = await settled(bed, [a], guest);

    a.report(seen(guest, 'origin', 0));
    const [after] = await settled(bed, [a], guest);

    expect(after?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
  });

  it('tell a success with the figures of its end, which are known a moment later', async () => {
    let nowMs = 0;
    await using a = await startWriter(bed, 'a', { clock: { ...systemClock, monotonic: () => nowMs } });
    a.report({ ...seen(guest, 'origin', 0), progress: { memIteration: 1 } });
    await a.idle();
    nowMs += POLL_MS;

    a.report({ ...seen(guest, 'origin', 0, 5), progress: { memIteration: 1 }, lacksFigures: true });
    const name = crypto.randomUUID();
    a.report(seen(name, 'origin', 0));
    const objects = bed.client.resource(migrationKind);
    await untilObject({ objects, name, isWanted: ({ status }) => status !== undefined, timeoutMs: 10_000 });
    const [before] = await recordsOf(bed, guest);
    a.report({ ...seen(guest, 'origin', 0, 5), progress: { memIteration: 3, downtime: '79ms' } });
    const [after] = await settled(bed, [a], guest);

    expect(before?.status).toMatchObject({ type: 'unbounded', memIteration: 1 });
    expect(after?.status).toMatchObject({ type: 'completed', memIteration: 3, downtime: '79ms' });
  });

  it('tell a success without the figures of its end when those do not come', async () => {
    let nowMs = 0;
    await using a = await startWriter(bed, 'a', { clock: { ...systemClock, monotonic: () => nowMs } });

    a.report({ ...seen(guest, 'origin', 0, 5), lacksFigures: true });
    nowMs += 1000;
    a.report(seen(crypto.randomUUID(), 'origin', 0));
    const [record] = await settled(bed, [a], guest);

    expect(record?.status).toMatchObject({ type: 'completed', timeElapsed: '5s' });
  });

  it('tell what the one before has kept on the disk, and forget it then', async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-pending-'));
    const before = await startWriter(bed, 'a', { directory: directory.path });
    before.report(seen(guest, 'origin', 0, 5));
    await before.crash();

    const kept = await before.file.load();
    await using after = await startWriter(bed, 'a', { directory: directory.path });
    const [record] = await settled(bed, [after], guest);
    await after.file.flush();

    expect(kept).toMatchObject([{ run: 'boot/1', observation: { result: { kind: 'completed' } } }]);
    expect(record?.status).toMatchObject({ origin: 'a', type: 'completed' });
    expect(await after.file.load()).toEqual([]);
  });

  it('give up what the API refuses for good, say so once, and go on with the next migration', async () => {
    await using a = await startWriter(bed, 'a');
    const odd: Observation['progress'] = JSON.parse('{"memIteration":"many"}');

    a.report({ ...seen(guest, 'origin', 0, 5), progress: odd });
    a.report(seen(guest, 'origin', 60, 5));
    const records = await settled(bed, [a], guest);
    await a.file.flush();

    expect(records.map(({ status }) => status?.started)).toEqual([at(60)]);
    expect(await a.file.load()).toEqual([]);
    const refusals = a.log.filter((line) => line.includes('refuses a migration for good; it is not told'));
    expect(refusals).toEqual([expect.stringContaining('memIteration')]);
  });

  it('delete their own records when their time is over, and no others', async () => {
    await using a = await startWriter(bed, 'a');
    a.report(seen(guest, 'origin', 0, 5));
    await settled(bed, [a], guest);
    const target = { migrations: bed.client.resource(migrationKind), namespace: 'default', timeToLiveMs: 60_000 };
    const sweep = (host: string, second: number): Promise<number> =>
      sweepRecords({ ...target, host, now: () => new Date(at(second)) }, AbortSignal.timeout(10_000));

    expect(await sweep('c', 100)).toBe(0);
    expect(await recordsOf(bed, guest)).toHaveLength(1);
    await sweep('a', 64);
    expect(await recordsOf(bed, guest)).toHaveLength(1);
    await sweep('a', 66);
    expect(await recordsOf(bed, guest)).toEqual([]);
  });

  it('delete a record in which nobody ever told anything, but not at once', async () => {
    const migrations = bed.client.resource(migrationKind);
    const labels = { 'smalt.dev/instance': guest, 'smalt.dev/origin': 'a' };
    await migrations.create({ metadata: { name: guest, namespace: 'default', labels }, spec: {} });
    const sweep = (afterMs: number): Promise<number> => {
      const now = (): Date => new Date(Date.now() + afterMs);
      const target = { migrations, namespace: 'default', timeToLiveMs: 60_000, host: 'a', now };
      return sweepRecords(target, AbortSignal.timeout(10_000));
    };

    await sweep(0);
    expect(await recordsOf(bed, guest)).toHaveLength(1);
    await sweep(120_000);
    expect(await recordsOf(bed, guest)).toEqual([]);
  });

  it('wait for those who put the record of before away, and tell beside it when they do not', async () => {
    await using a = await startWriter(bed, 'a');
    await using c = await startWriter(bed, 'c');
    a.report(seen(guest, 'origin', 0, 5, 'a'));
    await a.idle();

    c.report(seen(guest, 'destination', 600, 5, 'c'));
    const [before] = await recordsOf(bed, guest);
    const records = await settled(bed, [c], guest);

    expect(before?.metadata.name).toBe(guest);
    expect(records.map(({ metadata, status }) => [metadata.name, status?.origin, status?.destination])).toEqual([
      [guest, 'a', undefined],
      [`${guest}-20260101001000`, undefined, 'c'],
    ]);
  });
});

const POLL_MS = 20;

interface TestWriter extends AsyncDisposable {
  readonly file: PendingFile;
  readonly log: readonly string[];
  report(observation: Observation): void;
  /** Resolves when all that can be written is. */
  idle(): Promise<void>;
  /** Stops before anything is written. */
  crash(): Promise<void>;
}

async function startWriter(
  bed: FleetBed,
  host: string,
  { directory, clock = systemClock }: { readonly directory?: string; readonly clock?: Clock } = {},
): Promise<TestWriter> {
  const stack = new AsyncDisposableStack();
  const path = directory ?? stack.use(await mkdtempDisposable(join(tmpdir(), 'smalt-pending-'))).path;
  const log: string[] = [];
  const logger = createLogger({ name: host, destination: { write: (line) => log.push(line) } });
  const registry = new MetricsRegistry();
  const ignore = createIgnore(registry, logger);
  const metrics = new MigrationMetrics(registry);
  const file = new PendingFile(join(path, 'migrations.json'), { ignore, logger });
  const recorder = new EventRecorder(bed.client.resource(eventKind), { component: host, onFailure: () => undefined });
  const writer = new RecordWriter({
    file,
    recorder,
    logger,
    ignore,
    metrics,
    clock,
    pollMs: POLL_MS,
    patienceMs: 50 * POLL_MS,
    migrations: bed.client.resource(migrationKind),
    namespace: 'default',
    toleranceMs: 5000,
  });
  for (const pending of await file.load()) writer.restore(pending);
  const stop = new AbortController();
  const running = writer.run(stop.signal);
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  stack.defer(end);
  return {
    file,
    log,
    report: (observation) =>
      writer.report({ guest: 'web', run: 'boot/1', observation: { ...observation, host: observation.host || host } }),
    idle: () => writer.idle(),
    crash: end,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function settled(bed: FleetBed, writers: readonly TestWriter[], guest: string): Promise<readonly Migration[]> {
  for (const writer of writers) await writer.idle();
  return await recordsOf(bed, guest);
}

async function recordsOf(bed: FleetBed, guest: string): Promise<readonly Migration[]> {
  const { items } = await bed.client.resource(migrationKind).list({ namespace: 'default' });
  return items.filter(({ metadata }) => metadata.name.startsWith(guest));
}

async function bothKnown(bed: FleetBed, guest: string): Promise<void> {
  for (const deadline = AbortSignal.timeout(10_000); ; deadline.throwIfAborted()) {
    const [record] = await recordsOf(bed, guest);
    if (record?.status?.origin !== undefined && record.status.destination !== undefined) return;
  }
}

// oxlint-disable-next-line max-params -- reads like a line of a table
function seen(instance: string, role: MigrationRole, second: number, lasted?: number, host?: string): Observation {
  return {
    instance,
    role,
    host: host ?? (role === 'origin' ? 'a' : 'b'),
    startedAtMs: Date.parse(at(second)),
    isEstimated: false,
    elapsedMs: (lasted ?? 0) * 1000,
    progress: {},
    ...(lasted !== undefined && { result: { kind: 'completed' } }),
  };
}

function at(second: number): string {
  return new Date(Date.UTC(2026, 0, 1) + second * 1000).toISOString();
}
