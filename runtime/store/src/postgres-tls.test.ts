import { startPostgres, type PostgresBed } from '@smalt/bed-postgres';
import { makeSelfSigned } from '@smalt/x509';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { Database } from './database.ts';
import { noteMigrations, type NoteSchema } from './fixtures/database-bed.ts';
import { openDatabase } from './open-database.ts';

const { signal } = new AbortController();
const IS_ENCRYPTED = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
const own = certificateFor('localhost');
const stranger = certificateFor('localhost');

describe('a server that is reached by TLS', () => {
  let server: PostgresBed;
  let url: string;

  beforeAll(async () => {
    server = await startPostgres({ tls: own });
    url = server.url.replace('127.0.0.1', 'localhost');
  });
  afterAll(() => server[Symbol.asyncDispose]());

  it('is asked by TLS where its authority is given', async () => {
    await using database = await open(url, own.certificate);

    const rows = await database.read((session) => session.run({ sqlite: '', postgres: IS_ENCRYPTED }, []), signal);

    expect(rows).toMatchObject([{ ssl: true }]);
  });

  it.each([
    { who: 'of another authority', at: () => url, ca: stranger.certificate },
    { who: 'of no authority that the system knows', at: () => `${url}?sslmode=verify-full`, ca: undefined },
    { who: 'of another name', at: () => server.url, ca: own.certificate },
  ])('is not believed when it shows a certificate $who', async ({ at, ca }) => {
    const refused: unknown = await open(at(), ca).catch((error: unknown) => error);

    expect(refused).toMatchObject({ code: 'unreachable', message: expect.stringMatching(/certificate|altnames/) });
    expect(String(refused)).not.toContain(new URL(url).password);
  });

  it('lets nobody in who speaks in the clear', async () => {
    await expect(open(`${url}?sslmode=disable`)).rejects.toMatchObject({ code: 'refused' });
  });
});

async function open(url: string, ca?: string): Promise<Database<NoteSchema>> {
  const tls = ca === undefined ? undefined : { ca };
  const location = { kind: 'postgres', url, tls } as const;
  return await openDatabase<NoteSchema>({ location, migrations: noteMigrations, ignore: () => undefined }, signal);
}

function certificateFor(name: string): { readonly certificate: string; readonly key: string } {
  return makeSelfSigned({ commonName: name, names: [name], now: new Date(), days: 2 });
}
