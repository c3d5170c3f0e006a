import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import { startPostgres, type PostgresBed } from '@smalt/bed-postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Database } from './database.ts';
import { noteMigrations, type NoteSchema } from './fixtures/database-bed.ts';
import { openDatabase, type DatabaseOptions } from './open-database.ts';

const { signal } = new AbortController();

describe('a server', () => {
  let server: PostgresBed;

  beforeAll(async () => {
    server = await startPostgres();
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  it('is reached again after it was killed and restarted, with all that was committed', async () => {
    await using database = await open(server.url);
    await add(database, 1);
    await Promise.all([count(database), count(database), count(database)]);

    await server.kill();
    await expect(add(database, 2)).rejects.toMatchObject({ code: 'unreachable', isFateUnknown: false });
    await server.restart();
    await add(database, 3);

    expect(await count(database)).toBe(2);
    await clear(database);
  });

  it('that cannot be reached is named without its password', async () => {
    const [{ password }, port] = [new URL(server.url), await closedPort()];
    const wrong = server.url.replace(password, 'wrong-secret');

    const refused: unknown = await open(wrong).catch((error: unknown) => error);
    const away: unknown = await open(server.url.replace(/:\d+\//, `:${port}/`)).catch((error: unknown) => error);
    const absent: unknown = await open(server.url.replace(/postgres$/, 'absent')).catch((error: unknown) => error);

    expect(refused).toMatchObject({ code: 'refused' });
    expect(away).toMatchObject({ code: 'unreachable' });
    expect(absent).toMatchObject({ code: 'refused' });
    for (const error of [refused, away, absent])
      expect(String(error)).not.toMatch(new RegExp(`wrong-secret|${password}`));
  });

  it('that takes too long is given up', async () => {
    await using database = await open(server.url, { limits: { statementMs: 100 } });

    const sleeping = database.read((session) => session.run(same('SELECT pg_sleep(20)'), []), signal);

    await expect(sleeping).rejects.toMatchObject({ code: 'timeout' });
  });

  it('is left at once by a caller who gives up', async () => {
    await using database = await open(server.url);
    const controller = new AbortController();
    const sleeping = database.transaction(async (session) => {
      setImmediate(() => controller.abort(new Error('given up')));
      return session.run(same('SELECT pg_sleep(20)'), []);
    }, controller.signal);

    await expect(sleeping).rejects.toThrow('given up');
    expect(await count(database)).toBe(0);
  });

  it('that was not asked to make commits durable does so for us', async () => {
    await using database = await open(server.url);
    const setSomewhere = "ALTER ROLE smalt SET synchronous_commit = 'off'";
    await database.read((session) => session.run(same(setSomewhere), []), signal);

    await using careless = await open(server.url);
    const [row] = await careless.transaction(
      (session) => session.run(same("SELECT current_setting('synchronous_commit') AS word"), []),
      signal,
    );

    expect(row?.['word']).toBe('on');
    await database.read((session) => session.run(same('ALTER ROLE smalt RESET synchronous_commit'), []), signal);
  });

  it('whose answer to a commit is lost leaves its fate unknown', async () => {
    await using proxy = await startProxy(Number(new URL(server.url).port), 'COMMIT');
    await using database = await open(server.url.replace(/:\d+\//, `:${proxy.port}/`));
    proxy.cutAtWord();

    const error: unknown = await add(database, 7).catch((reason: unknown) => reason);

    expect(error).toMatchObject({ code: 'unreachable', isFateUnknown: true });
    expect(String(error)).toContain('not known whether');
    await using direct = await open(server.url);
    await expect.poll(() => count(direct)).toBe(1);
    await clear(direct);
  });

  it('that wants two transactions in another order has them made one after the other', async () => {
    await using database = await open(server.url);
    for (const id of [1, 2]) await add(database, id);
    const meet = meeting(2);
    const update = (ids: readonly number[]): Promise<void> => {
      let isFirst = true;
      return database.transaction(async (session) => {
        for (const id of ids) {
          const query = session.queries.updateTable('note').set((row) => ({ weight: row('weight', '+', 1) }));
          await session.change(query.where('id', '=', id));
          if (isFirst) await meet();
          isFirst = false;
        }
      }, signal);
    };

    await Promise.all([update([1, 2]), update([2, 1])]);

    const rows = await database.read(
      (session) => session.all(session.queries.selectFrom('note').select('weight')),
      signal,
    );
    expect(rows.map(({ weight }) => weight)).toEqual([3, 3]);
    await clear(database);
  });

  it('names the tool that backs it up', async () => {
    await using database = await open(server.url);

    await expect(database.backup('/tmp/copy', signal)).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringContaining('pg_dump'),
    });
  });
});

function open(url: string, more: Partial<DatabaseOptions> = {}): Promise<Database<NoteSchema>> {
  const location = { kind: 'postgres', url } as const;
  const options = { location, migrations: noteMigrations, ignore: () => undefined, ...more };
  return openDatabase<NoteSchema>(options, signal);
}

async function add(database: Database<NoteSchema>, id: number): Promise<void> {
  const row = { id, text: '', weight: 1 };
  await database.transaction((session) => session.change(session.queries.insertInto('note').values(row)), signal);
}

async function clear(database: Database<NoteSchema>): Promise<void> {
  await database.transaction((session) => session.change(session.queries.deleteFrom('note')), signal);
}

async function count(database: Database<NoteSchema>): Promise<number> {
  const rows = await database.read((session) => session.all(session.queries.selectFrom('note').select('id')), signal);
  return rows.length;
}

function same(text: string) {
  return { sqlite: text, postgres: text };
}

/** Lets nobody go on before so many have come. */
function meeting(size: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let come = 0;
  return async () => {
    if (++come >= size) all.resolve();
    await all.promise;
  };
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await once(server.close(), 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Stands between a client and the server; told so, it lets the word through and cuts before the answer. */
async function startProxy(target: number, word: string) {
  let isCutting = false;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    let isCut = false;
    client.on('data', (chunk) => {
      isCut ||= isCutting && chunk.includes(word);
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => (isCut ? client.destroy() : client.write(chunk)));
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cutAtWord: () => {
      isCutting = true;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await once(proxy.close(), 'close');
    },
  };
}
