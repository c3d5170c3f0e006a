import { describe, expect, it } from 'vitest';

import { parseLocation } from './open-database.ts';
import { parsePostgresUrl } from './parse-postgres-url.ts';

describe('parsePostgresUrl', () => {
  it.each([
    { url: 'postgres://smalt@db.example/ha', place: 'postgres://db.example:5432/ha', isTls: true },
    { url: 'postgresql://smalt:p%40ss@db:6000/ha?sslmode=verify-full', place: 'postgres://db:6000/ha', isTls: true },
    { url: 'postgres://smalt@db.example/ha?sslmode=disable', place: 'postgres://db.example:5432/ha', isTls: false },
    { url: 'postgres://smalt@127.0.0.1/ha', place: 'postgres://127.0.0.1:5432/ha', isTls: false },
    { url: 'postgres://smalt@[::1]:1/ha', place: 'postgres://::1:1/ha', isTls: false },
    { url: 'postgres://smalt@localhost/ha?sslmode=verify-full', place: 'postgres://localhost:5432/ha', isTls: true },
    { url: 'postgres://smalt@socket/ha?host=/run/pg', place: 'postgres:///run/pg:5432/ha', isTls: false },
  ])('reads $url, with TLS $isTls', ({ url, place, isTls }) => {
    const { name, connection } = parsePostgresUrl({ kind: 'postgres', url });

    expect(name).toBe(place);
    expect(connection).toMatchObject({ user: 'smalt', database: 'ha' });
    const { ssl } = connection;
    expect(typeof ssl === 'object' ? ssl.rejectUnauthorized : ssl).toBe(isTls);
  });

  it('decodes a password, and prefers one that can be asked for', async () => {
    const url = 'postgres://smalt:p%40ss@db/ha';

    expect(parsePostgresUrl({ kind: 'postgres', url }).connection.password).toBe('p@ss');
    expect(parsePostgresUrl({ kind: 'postgres', url, readPassword }).connection.password).toBe(readPassword);
  });

  it.each([
    { url: 'mysql://smalt:secret@db/ha', words: 'must be postgres://' },
    { url: 'postgres://smalt:secret@db', words: 'names no database' },
    { url: 'postgres://db/ha', words: 'names no user' },
    { url: 'postgres://smalt:secret@db/ha?sslmode=require', words: 'do not check who answers' },
    { url: 'postgres://smalt:secret@db/ha?sslrootcert=/x', words: '"sslrootcert"' },
    { url: 'postgres://smalt:se%cret@db/ha', words: '%25' },
    { url: 'postgres://smalt:secret@db/ha?host=other', words: 'no directory' },
  ])('refuses $url, and does not repeat the password', ({ url, words }) => {
    const parse = () => parsePostgresUrl({ kind: 'postgres', url });

    expect(parse).toThrow(expect.objectContaining({ code: 'invalid-location' }));
    expect(parse).toThrow(words);
    expect(parse).not.toThrow(/secret|se%cret/);
  });
});

describe('parseLocation', () => {
  it.each([
    { text: '/var/lib/smalt/ha.db', kind: 'sqlite' },
    { text: 'ha.db', kind: 'sqlite' },
    { text: 'postgres://smalt@db/ha', kind: 'postgres' },
  ])('takes $text for $kind', ({ text, kind }) => {
    expect(parseLocation(text)).toMatchObject({ kind });
  });

  it.each(['', 'mysql://smalt:secret@db/ha', 'postgres://db'])('refuses "%s"', (text) => {
    expect(() => parseLocation(text)).toThrow(expect.objectContaining({ code: 'invalid-location' }));
  });
});

async function readPassword(): Promise<string> {
  return 'newer';
}
