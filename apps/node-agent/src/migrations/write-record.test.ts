import { migrationKind } from '@smalt/fleet-api';
import type { MigrationRole, Observation } from '@smalt/migration-record';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { startFleetBed, type FleetBed } from '../fixtures/fleet-bed.ts';
import { openHosts, type Hosts } from '../fixtures/open-hosts.ts';
import type { RecordTarget } from './record-store.ts';
import { writeRecord } from './write-record.ts';

describe('writeRecord', () => {
  let bed: FleetBed;
  let hosts: Hosts;
  let all: RecordTarget['migrations'];

  beforeAll(async () => {
    bed = await startFleetBed();
    hosts = await openHosts(bed, ['a', 'b']);
    all = bed.client.resource(migrationKind);
  });
  afterAll(async () => {
    await hosts[Symbol.asyncDispose]();
    await bed[Symbol.asyncDispose]();
  });

  it('finds the record again when the answer to the first write got lost', async () => {
    const instance = crypto.randomUUID();
    await write(hosts, observation(instance, { role: 'origin', host: 'a' }));
    const lost = new AbortController();
    let attempted: string | undefined;
    const onAttempt = (uid: string | undefined): void => {
      attempted = uid;
      lost.abort();
    };
    const arrival = observation(instance, { role: 'destination', host: 'b', startedAtMs: FIRST_MS + 300 });

    const target = { ...PLACE, migrations: hosts.of('b') };
    const failure = writeRecord(target, arrival, { isPatient: false, onAttempt }, lost.signal);
    await expect(failure).rejects.toMatchObject({ code: 'aborted' });
    await write(hosts, { ...arrival, elapsedMs: 100_000, result: { kind: 'completed' } }, attempted);
    const { items } = await all.list({ namespace: 'default' });

    expect(items.filter(({ metadata }) => metadata.name.startsWith(instance)).map(({ status }) => status)).toEqual([
      expect.objectContaining({ origin: 'a', destination: 'b', type: 'completed' }),
    ]);
  });

  it('says that it is not clear yet whether a record that has just ended is of the same migration', async () => {
    const instance = crypto.randomUUID();
    await write(hosts, observation(instance, { role: 'origin', host: 'a', result: { kind: 'failed' } }));

    const outcome = await write(hosts, observation(instance, { role: 'destination', host: 'b' }));

    expect(outcome.kind).toBe('unclear');
  });

  it('joins the account of the other host that was put away, even when nothing bears the id of the guest', async () => {
    const instance = crypto.randomUUID();
    await write(hosts, over(instance, 'destination', 0.3, 2));
    await write(hosts, over(instance, 'origin', 60, 62, 'b'));
    await all.delete(instance, { namespace: 'default' });

    await write(hosts, over(instance, 'origin', 0, 2));

    expect(await told(all, instance)).toEqual(['0 a-b completed']);
  });

  it.each([
    { who: 'the origin tells all first', order: [0, 2, 4, 1, 3, 5] },
    { who: 'the destination tells all first', order: [1, 3, 5, 0, 2, 4] },
    { who: 'both tell by turns', order: [0, 1, 2, 3, 4, 5] },
    { who: 'both tell by turns, and the destination begins', order: [1, 0, 3, 2, 5, 4] },
    { who: 'the origin is ahead by one', order: [0, 2, 1, 4, 3, 5] },
    { who: 'the destination is ahead by one', order: [1, 3, 0, 5, 2, 4] },
  ])('tells retries that came at once apart when $who', async ({ order }) => {
    const instance = crypto.randomUUID();
    const accounts = [
      cancelled(over(instance, 'origin', 0, 2.5)),
      cancelled(over(instance, 'destination', 0.3, 2.4)),
      cancelled(over(instance, 'origin', 2.6, 4)),
      cancelled(over(instance, 'destination', 2.9, 3.9)),
      cancelled(over(instance, 'origin', 4.1, 4.4)),
      cancelled(over(instance, 'destination', 4.2, 4.3)),
    ];

    for (const account of order.flatMap((index) => accounts[index] ?? [])) await write(hosts, account);

    expect(await told(all, instance)).toEqual(['0 a-b cancelled', '2.6 a-b cancelled', '4.1 a-b cancelled']);
  });

  it('keeps one record of each migration that began in the same second', async () => {
    const instance = crypto.randomUUID();

    for (const second of [0.1, 0.4, 0.8]) await write(hosts, over(instance, 'origin', second, second + 0.2));

    expect(await told(all, instance)).toEqual([
      '0.1 a-undefined completed',
      '0.4 a-undefined completed',
      '0.8 a-undefined completed',
    ]);
  });

  it('makes one record of what both hosts tell late at the same moment', async () => {
    const guests = Array.from({ length: 12 }, () => crypto.randomUUID());
    await Promise.all(guests.map((instance) => write(hosts, over(instance, 'origin', 60, 62))));

    await Promise.all(
      guests.flatMap((instance) => [
        write(hosts, over(instance, 'origin', 0, 2)),
        write(hosts, over(instance, 'destination', 1.1, 2)),
      ]),
    );

    for (const instance of guests) {
      expect(await told(all, instance)).toEqual(['0 a-b completed', '60 a-undefined completed']);
    }
  });

  it('leaves no copy of a record that the origin joins while it is being put away', async () => {
    const instance = crypto.randomUUID();
    await write(hosts, over(instance, 'destination', 0.3, 2));
    let joined: Promise<unknown> | undefined;
    const slow = intercept(hosts.of('b'), 'delete', async (name) => {
      if (name === instance) await (joined ??= write(hosts, over(instance, 'origin', 0, 2)));
    });

    await write({ of: () => slow }, over(instance, 'origin', 4, 5, 'b'));

    expect(await told(all, instance)).toEqual(['0 a-b completed', '4 b-undefined completed']);
  });

  it('leaves no copy of a record that the other host joins and puts away itself meanwhile', async () => {
    const instance = crypto.randomUUID();
    await write(hosts, over(instance, 'destination', 0.3, 2));
    let others: Promise<unknown> | undefined;
    const slow = intercept(hosts.of('b'), 'delete', async (name) => {
      if (name !== instance) return;
      others ??= write(hosts, over(instance, 'origin', 0, 2)).then(() =>
        write(hosts, over(instance, 'destination', 4.1, 5, 'a')),
      );
      await others;
    });

    await write({ of: () => slow }, over(instance, 'origin', 4, 5, 'b'));

    expect(await told(all, instance)).toEqual(['0 a-b completed', '4 b-a completed']);
  });

  it('leaves no copy when it was interrupted before the record was gone, and the origin joins that', async () => {
    const instance = crypto.randomUUID();
    await write(hosts, over(instance, 'destination', 0.3, 2));
    const next = over(instance, 'origin', 4, 5, 'b');

    await expect(write({ of: (host) => intercept(hosts.of(host), 'delete', cutOff) }, next)).rejects.toThrow('cut off');
    await write(hosts, over(instance, 'origin', 0, 2));
    await write(hosts, next);

    expect(await told(all, instance)).toEqual(['0 a-b completed', '4 b-undefined completed']);
  });

  it('goes on with making one record of two when it was interrupted', async () => {
    const instance = crypto.randomUUID();
    await write(hosts, over(instance, 'origin', 60, 62));
    const late = over(instance, 'destination', 1.1, 2);
    let uid: string | undefined;
    const onAttempt = (attempted: string | undefined): void => {
      uid = attempted;
    };
    let origin: Promise<unknown> | undefined;
    const slow = intercept(hosts.of('b'), 'create', async () => {
      await (origin ??= write(hosts, over(instance, 'origin', 0, 2)));
    });
    const migrations = intercept(slow, 'delete', cutOff);

    const failure = writeRecord(
      { ...PLACE, migrations },
      late,
      { isPatient: false, onAttempt },
      AbortSignal.timeout(10_000),
    );
    await expect(failure).rejects.toThrow('cut off');
    await write(hosts, late, uid);

    expect(await told(all, instance)).toEqual(['0 a-b completed', '60 a-undefined completed']);
  });

  it('keeps the progress that was told before when the end is told by an agent that remembers none', async () => {
    const instance = crypto.randomUUID();
    const seen = { dataProcessed: '10.4 MiB', memIteration: 2 };
    const going = observation(instance, { elapsedMs: 3000, progress: seen });
    await write(hosts, going);

    await write(hosts, { ...going, elapsedMs: 9000, progress: {}, isEstimated: true, result: { kind: 'failed' } });

    const { status } = await all.get(instance, { namespace: 'default' });
    expect(status).toMatchObject({ ...seen, type: 'failed', timeElapsed: '9s' });
  });

  it('makes the record anew when somebody has deleted it', async () => {
    const instance = crypto.randomUUID();
    const departure = observation(instance, { role: 'origin', host: 'a' });
    const first = await write(hosts, departure);
    await all.delete(instance, { namespace: 'default' });
    const object = first.kind === 'written' ? first.object : undefined;

    const again = await writeRecord(
      { ...PLACE, migrations: hosts.of('a') },
      { ...departure, elapsedMs: 1000 },
      { object, uid: object?.metadata.uid, isPatient: false, onAttempt: () => undefined },
      AbortSignal.timeout(10_000),
    );

    expect(again).toMatchObject({ kind: 'written', object: { status: { origin: 'a', timeElapsed: '1s' } } });
  });
});

const FIRST_MS = Date.UTC(2026, 0, 1);
const PLACE = { namespace: 'default', toleranceMs: 5000 };

async function write(hosts: Pick<Hosts, 'of'>, seen: Observation, uid?: string): ReturnType<typeof writeRecord> {
  const written = { uid, isPatient: false, onAttempt: () => undefined };
  return await writeRecord({ ...PLACE, migrations: hosts.of(seen.host) }, seen, written, AbortSignal.timeout(10_000));
}

/** What is told of a guest, in order: the second in which it began, the hosts, the end. */
async function told(migrations: RecordTarget['migrations'], instance: string): Promise<readonly string[]> {
  const { items } = await migrations.list({ namespace: 'default' });
  return items
    .filter(({ metadata }) => metadata.name.startsWith(instance))
    .map(({ status }) => ({ ...status, second: (Date.parse(status?.started ?? '') - FIRST_MS) / 1000 }))
    .toSorted((one, other) => one.second - other.second)
    .map(({ second, origin, destination, type }) => `${second} ${origin}-${destination} ${type}`);
}

// oxlint-disable-next-line max-params -- reads like a line of a table
function over(instance: string, role: MigrationRole, from: number, to: number, host?: string): Observation {
  const elapsedMs = (to - from) * 1000;
  const hosts = { origin: 'a', destination: 'b' } as const;
  const startedAtMs = FIRST_MS + from * 1000;
  return observation(instance, {
    role,
    host: host ?? hosts[role],
    startedAtMs,
    elapsedMs,
    result: { kind: 'completed' },
  });
}

/** The client, with something that happens before one of its requests. */
function intercept<Client extends object>(
  client: Client,
  method: keyof Client,
  before: (name: unknown) => Promise<void>,
): Client {
  return new Proxy(client, {
    get: (_client, key) => {
      const value: unknown = Reflect.get(client, key, client);
      if (typeof value !== 'function') return value;
      return async (...words: readonly unknown[]): Promise<unknown> => {
        if (key === method) await before(words[0]);
        return await Reflect.apply(value, client, words);
      };
    },
  });
}

async function cutOff(): Promise<never> {
  return await Promise.reject(new Error('cut off'));
}

function cancelled(account: Observation): Observation {
  return { ...account, result: { kind: 'cancelled' } };
}

function observation(instance: string, fields: Partial<Observation>): Observation {
  return {
    instance,
    role: 'origin',
    host: 'a',
    startedAtMs: FIRST_MS,
    isEstimated: false,
    elapsedMs: 0,
    progress: {},
    ...fields,
  };
}
