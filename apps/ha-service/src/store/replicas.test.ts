import { startPostgres, type PostgresBed } from '@smalt/bed-postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import type { DurableHaStore } from './durable-ha-store.ts';
import { batch, event, line, uptime } from './fixtures/contract-case.ts';
import { openHaStore } from './open-ha-store.ts';

const HOUR_MS = 3_600_000;
const { signal } = new AbortController();

describe('several replicas with one server', () => {
  let server: PostgresBed;

  beforeAll(async () => {
    server = await startPostgres();
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  let replicas: AsyncDisposableStack;

  beforeEach(() => {
    replicas = new AsyncDisposableStack();
    return () => replicas.disposeAsync();
  });

  it('never add an event or a line below one that was read', async () => {
    const [one, two, reader] = [await join(), await join(), await join()];
    const done = new AbortController();
    const read = { events: follow(reader, done.signal), lines: followJournal(reader, done.signal) };

    await Promise.all(
      [one, two].flatMap((store, replica) =>
        Array.from({ length: 8 }, async (_, writer) => {
          for (let number = 1; number <= 15; number++) {
            const content = batch(`order-${replica}-${writer}`, [event(number)]);
            await store.telemetry.accept({ batch: content, arrivedAt: now() }, signal);
            await store.journal.append([line(`${replica}-${writer}-${number}`)], signal);
          }
        }),
      ),
    );
    done.abort();

    // A reader that goes on from the last it has seen has seen all of them.
    expect(new Set(await read.events).size).toBe(240);
    expect(new Set(await read.lines).size).toBe(240);
  });

  it('agree on ages, however wrong the clock of one of them is', async () => {
    const [right, wrong] = [await join(), await join(() => now() - 5 * HOUR_MS)];

    await wrong.signals.state(
      [{ host: 'aged', source: 'bmc', kind: 'alive', at: now() - 5 * HOUR_MS - 40_000 }],
      signal,
    );
    await right.signals.state([{ host: 'aged', source: 'bmc', kind: 'dead', at: now() - 20_000 }], signal);

    for (const store of [right, wrong]) {
      const { signals } = await store.signals.changes(undefined, signal);
      const aged = signals.find(({ host }) => host === 'aged');
      expect(aged?.aliveAgeMs).toBeGreaterThanOrEqual(40_000);
      expect(aged?.aliveAgeMs).toBeLessThan(60_000);
      expect(aged?.deadSinceAgeMs).toBeLessThan(40_000);
    }
  });

  it('agree on when a person spoke, however wrong the clock of the one who took the word is', async () => {
    const [right, wrong] = [await join(), await join(() => now() - 5 * HOUR_MS)];
    const word = { kind: 'host-is-off', host: 'aged', incidentId: 'i1', by: 'ann', note: 'seen' } as const;

    await wrong.incidents.addDecision(word, signal);

    const [heard] = await right.incidents.decisions('i1', signal);
    const [own] = await wrong.incidents.decisions('i1', signal);
    expect(now() - (heard?.at ?? 0)).toBeLessThan(30_000);
    expect(now() - 5 * HOUR_MS - (own?.at ?? 0)).toBeLessThan(30_000);
    expect(heard?.id).toBe(own?.id);
  });

  it('keep the newest sign of life of a host that speaks to both', async () => {
    const [one, two] = [await join(), await join()];

    await Promise.all(
      [one, two].flatMap((store) =>
        Array.from({ length: 20 }, (_, index) => {
          const content = batch(`both-${index}`, [uptime(1)]);
          return store.telemetry.accept({ batch: content, arrivedAt: now() - (store === one ? 90_000 : 0) }, signal);
        }),
      ),
    );

    const { signals } = await one.signals.changes(undefined, signal);
    const ages = signals.filter(({ host }) => host.startsWith('both-')).map(({ aliveAgeMs }) => aliveAgeMs ?? 1e9);
    expect(ages).toHaveLength(40);
    // Libvirt's word is that of whoever stored the record first.
    const ofAgents = signals.filter(({ host, source }) => host.startsWith('both-') && source === 'agent');
    expect(Math.max(...ofAgents.map(({ aliveAgeMs }) => aliveAgeMs ?? 1e9))).toBeLessThan(60_000);
  });

  it('read everything again after the server was started anew: it may have lost what they have read', async () => {
    const store = await join();
    await store.signals.state([{ host: 'again', source: 'bmc', kind: 'alive', at: now() }], signal);
    const { cursor } = await store.signals.changes(undefined, signal);
    const nothing = await store.signals.changes(cursor, signal);

    await server.kill();
    await server.restart();
    const everything = await store.signals.changes(cursor, signal);

    expect(nothing.signals).toEqual([]);
    expect(everything.signals.map(({ host }) => host)).toContain('again');
  });

  async function join(clock: () => number = now): Promise<DurableHaStore> {
    const location = { kind: 'postgres', url: server.url } as const;
    return replicas.use(await openHaStore({ location, clock: { now: clock }, ignore: () => undefined }, signal));
  }
});

function now(): number {
  return performance.timeOrigin + performance.now();
}

async function follow({ telemetry }: DurableHaStore, done: AbortSignal): Promise<readonly string[]> {
  return readOn((after) => telemetry.events(after, 7, signal), done);
}

async function followJournal({ journal }: DurableHaStore, done: AbortSignal): Promise<readonly string[]> {
  return readOn((after) => journal.list(after ?? '0', { limit: 7 }, signal), done);
}

/** Reads on from the last entry, and ends when there is no more after all was written. */
async function readOn(
  read: (after: string | undefined) => Promise<readonly { readonly id: string }[]>,
  done: AbortSignal,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const wasDone = done.aborted;
    const page = await read(ids.at(-1));
    ids.push(...page.map(({ id }) => id));
    if (page.length === 0 && wasDone) return ids;
  }
}
