import { stat } from 'node:fs/promises';

import type { RebuildRecord } from '@smalt/failure-detection';
import type { DatabaseLocation, EngineKind } from '@smalt/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { NoticeCursor } from '../notices/notice-cursor.ts';
import { writeCursor } from '../ports/cursor-content.ts';
import { CursorKind } from '../ports/ha-store.ts';
import type { DurableHaStore } from './durable-ha-store.ts';
import { batch, event, gap, incident, instances, line, next } from './fixtures/contract-case.ts';
import { openStoreBed, type StoreBed } from './fixtures/store-bed.ts';
import { openHaStore } from './open-ha-store.ts';

const KINDS: readonly EngineKind[] = ['sqlite', 'postgres'];
const HOUR_MS = 3_600_000;
const { signal } = new AbortController();

describe.each(KINDS)('a store of %s', (kind) => {
  let bed: StoreBed;

  beforeAll(async () => {
    bed = await openStoreBed(kind);
  });

  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
  });

  it('has everything again after it was closed and opened', async () => {
    const location = await bed.newLocation();
    await during(await open(location), async (store) => {
      await store.telemetry.accept({ batch: batch('node-1', [event(1), instances(2, 3)]), arrivedAt: now() }, signal);
      await store.incidents.open(incident('i1', 'node-1', 1), [line('opened')], signal);
    });

    await using store = await open(location);

    expect(await store.telemetry.events(undefined, 10, signal)).toHaveLength(1);
    const again = { batch: batch('node-1', [event(1), instances(2, 3)]), arrivedAt: now() };
    expect(await store.telemetry.accept(again, signal)).toEqual({ acknowledged: 2 });
    expect(await store.telemetry.events(undefined, 10, signal)).toHaveLength(1);
    expect(await store.incidents.get('i1', signal)).toMatchObject({ host: 'node-1', revision: 1 });
    expect(await store.reportedInstances('node-1', signal)).toMatchObject({ instances: [{ name: 'web' }, {}, {}] });
  });

  it('tells the signals of one host alone, and how many events were new', async () => {
    const counts: number[] = [];
    const location = await bed.newLocation();
    const onEvents = (count: number): void => void counts.push(count);
    await using store = await openHaStore({ location, clock: { now }, ignore: () => undefined, onEvents }, signal);
    const arrived = { batch: batch('node-1', [event(1), event(2), instances(3, 2)]), arrivedAt: now() };

    await store.telemetry.accept(arrived, signal);
    await store.telemetry.accept(arrived, signal);
    await store.telemetry.accept({ batch: batch('node-2', []), arrivedAt: now() }, signal);

    const found = await store.signalsOf('node-1', signal);
    expect(found.signals.map(({ host, source }) => [host, source])).toEqual(
      expect.arrayContaining([['node-1', 'agent']]),
    );
    expect(found.signals.every(({ host }) => host === 'node-1')).toBe(true);
    expect(found.report).toMatchObject({ host: 'node-1', instances: 2 });
    expect(await store.signalsOf('node-3', signal)).toEqual({ signals: [], report: undefined });
    expect(counts).toEqual([2]);
  });

  it('does not let one batch with a wrong name fail those that come with it', async () => {
    await using store = await open(await bed.newLocation());
    const nodes = ['node-1', 'node\0-2', 'node\uD800', 'node-3'];

    const results = await Promise.allSettled(
      nodes.map((node) => store.telemetry.accept({ batch: batch(node, [event(1)]), arrivedAt: now() }, signal)),
    );

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect((await store.telemetry.events(undefined, 10, signal)).map(({ host }) => host)).toEqual(['node-1', 'node-3']);
  });

  it('stores a step of an incident whatever bytes a management controller has put into a sentence', async () => {
    await using store = await open(await bed.newLocation());

    await store.incidents.open(incident('i1', 'node-1', 1), [line('it said: \0\uD800 off')], signal);

    const [entry] = await store.journal.list(undefined, { limit: 1 }, signal);
    expect(entry?.message).toMatch(/^it said: .* off$/);
  });

  it('lists what became of instances by incident, host and instance', async () => {
    await using store = await open(await bed.newLocation());
    for (const [id, host] of [
      ['i1', 'node-1'],
      ['i2', 'node-2'],
    ] as const) {
      const opened = incident(id, host, 1);
      await store.incidents.open(opened, [], signal);
      await store.incidents.save(next(opened, { instances: [record('a'), record(`only-${id}`)] }), [], signal);
    }
    const ids = async (filter: object) =>
      (await store.rebuilds({ limit: 10, ...filter }, signal)).map(({ incidentId, id }) => `${incidentId} ${id}`);

    expect(await ids({})).toEqual(['i2 a', 'i2 only-i2', 'i1 a', 'i1 only-i1']);
    expect(await ids({ limit: 3 })).toEqual(['i2 a', 'i2 only-i2', 'i1 a']);
    expect(await ids({ instanceId: 'a' })).toEqual(['i2 a', 'i1 a']);
    expect(await ids({ incidentId: 'i1' })).toEqual(['i1 a', 'i1 only-i1']);
    expect(await ids({ host: 'node-2', instanceId: 'only-i2' })).toEqual(['i2 only-i2']);
    expect(await ids({ instanceId: 'unknown' })).toEqual([]);
  });

  it('removes what is old, but nothing that is open, held or not yet read', async () => {
    await using store = await open(await bed.newLocation());
    const ids = ['over', 'held', 'open', 'newest'];
    for (const id of ids) {
      const opened = incident(id, `host-of-${id}`, 1);
      await store.incidents.open(opened, [line(`about ${id}`, { incidentId: id })], signal);
      if (id !== 'open')
        await store.incidents.save(next(opened, { state: 'failed', instances: [record('a')] }), [], signal);
    }
    await store.hosts.hold('host-of-held', 'held', signal);
    for (let number = 1; number <= 4; number++) {
      await store.telemetry.accept({ batch: batch('node-1', [event(number)]), arrivedAt: now() }, signal);
      await store.journal.append([line(`line ${number}`)], signal);
    }
    const events = await store.telemetry.events(undefined, 10, signal);
    const journal = await store.journal.list('0', { limit: 20 }, signal);
    const content = writeCursor(events[1]?.id ?? '');
    await store.documents.save(CursorKind.events, { key: 'reader', revision: 1, content }, signal);
    const webhook = await NoticeCursor.load(store.documents, 'pager', signal);
    await webhook.moveTo(journal[6]?.id ?? '', signal);

    const counts = await store.prune({ eventsMs: -1e6, journalMs: -1e6, incidentsMs: -1e6 }, signal);

    expect(counts).toEqual({ events: 2, journal: 4, incidents: 1, epochs: 0 });
    expect((await store.telemetry.events(undefined, 10, signal)).map(({ id }) => id)).toEqual(
      events.slice(2).map(({ id }) => id),
    );
    expect((await store.incidents.list({ limit: 9 }, signal)).map(({ id }) => id)).toEqual(['newest', 'open', 'held']);
    expect((await store.journal.list('0', { limit: 20 }, signal)).map(({ message }) => message)).toEqual([
      'about held',
      'about open',
      'about newest',
      'line 4',
    ]);
    expect(await store.prune({ eventsMs: HOUR_MS, journalMs: HOUR_MS, incidentsMs: HOUR_MS }, signal)).toEqual({
      events: 0,
      journal: 0,
      incidents: 0,
      epochs: 0,
    });
  });

  it('tells what agents could not tell, once', async () => {
    const losses: [string, number][] = [];
    const onLoss = (reason: string, count: number): void => void losses.push([reason, count]);
    const location = await bed.newLocation();
    await using store = await openHaStore({ location, clock: { now }, ignore: () => undefined, onLoss }, signal);
    const late = { batch: batch('node-1', [event(5), gap(6, 8)]), arrivedAt: now() };

    await store.telemetry.accept(late, signal);
    await store.telemetry.accept(late, signal);

    expect(losses).toEqual([
      ['unexplained', 4],
      ['queue-full', 3],
    ]);
    const lines = await store.journal.list('0', { host: 'node-1', limit: 9 }, signal);
    expect(lines).toMatchObject([
      {
        kind: 'service',
        severity: 'warning',
        message: expect.stringContaining('up to number 4: 4 numbers were never sent'),
      },
      {
        kind: 'service',
        severity: 'warning',
        message: expect.stringContaining('up to number 8: the queue of its agent'),
      },
    ]);
  });

  it('forgets an epoch that a host has left, and not the one it is in', async () => {
    await using store = await open(await bed.newLocation());
    for (const epoch of ['e1', 'e2']) {
      await store.telemetry.accept({ batch: batch('node-1', [event(1)], epoch), arrivedAt: now() }, signal);
    }

    const { epochs } = await store.prune({ eventsMs: -1e6, journalMs: HOUR_MS, incidentsMs: HOUR_MS }, signal);

    expect(epochs).toBe(1);
    await store.telemetry.accept({ batch: batch('node-1', [event(1)], 'e2'), arrivedAt: now() }, signal);
    expect(await store.telemetry.events(undefined, 10, signal)).toHaveLength(0);
  });
});

describe('a store in a file', () => {
  let bed: StoreBed;

  beforeAll(async () => {
    bed = await openStoreBed('sqlite');
  });

  afterAll(async () => {
    await bed[Symbol.asyncDispose]();
  });

  it('goes on after the clock was set back: nothing has a negative age, and what is new counts', async () => {
    const location = await bed.newLocation();
    await during(await open(location, () => now() + HOUR_MS), async (store) => {
      await store.signals.state([{ host: 'node-1', source: 'bmc', kind: 'alive', at: now() + HOUR_MS }], signal);
      await store.incidents.open(incident('i1', 'node-1', 1), [], signal);
    });
    let offset = 0;
    const clock = (): number => now() + offset;

    await using store = await open(location, clock);
    offset = 60_000;
    await store.signals.state([{ host: 'node-1', source: 'bmc', kind: 'dead', at: clock() }], signal);

    const [seen] = (await store.signals.changes(undefined, signal)).signals;
    expect(seen?.aliveAgeMs).toBeGreaterThanOrEqual(60_000);
    expect(seen?.deadSinceAgeMs).toBeLessThan(30_000);
    expect(clock() - ((await store.incidents.lastOpenedAt(signal)) ?? 0)).toBeGreaterThanOrEqual(60_000);
  });

  it('is copied while it takes batches, to a file that is a store', async () => {
    const [location, copy] = [await bed.newLocation(), await bed.newLocation()];
    const path = copy.kind === 'sqlite' ? copy.path : '';
    await using store = await open(location);
    await store.telemetry.accept({ batch: batch('node-1', [event(1)]), arrivedAt: now() }, signal);
    const done = new AbortController();
    const writes = (async () => {
      for (let number = 2; !done.signal.aborted; number++) {
        await store.telemetry.accept({ batch: batch('node-1', [event(number)]), arrivedAt: now() }, signal);
      }
    })();

    await store.backup(path, signal);
    done.abort();
    await writes;

    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await using restored = await open(copy);
    const numbers = (await restored.telemetry.events(undefined, 1e6, signal)).map(({ event: each }) =>
      each.kind === 'lifecycle' ? each.detail : '',
    );
    expect(numbers.slice(0, 1)).toEqual(['n1']);
    expect(numbers).toEqual(numbers.map((_, index) => `n${index + 1}`));
  });
});

function now(): number {
  return performance.timeOrigin + performance.now();
}

function open(location: DatabaseLocation, clock: () => number = now): Promise<DurableHaStore> {
  return openHaStore({ location, clock: { now: clock }, ignore: () => undefined }, signal);
}

async function during(store: DurableHaStore, use: (store: DurableHaStore) => Promise<void>): Promise<void> {
  await using closing = store;
  await use(closing);
}

function record(id: string): RebuildRecord {
  return {
    id,
    name: id,
    priority: 0,
    state: 'failed',
    attempts: 1,
    asks: 1,
    askedAt: 1,
    evacuationId: undefined,
    target: undefined,
    pastEvacuations: [],
    failedTargets: [],
    failuresElsewhere: 0,
    retryAfter: undefined,
    startedAt: 1,
    endedAt: 2,
    message: '',
  };
}
