import { mkdtempDisposable, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createLogger } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { PendingFile } from './pending-file.ts';
import type { PendingRecord } from './pending-record.ts';

it('gives back what was kept last, to nobody but its owner', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-pending-'));
  const path = join(directory.path, 'migrations.json');
  const { file } = open(path);

  file.save([record('one')]);
  file.save([record('one'), record('two')]);
  file.save([record('two')]);
  await file.flush();

  expect(await open(path).file.load()).toEqual([record('two')]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

it('begins with nothing when there is no file', async () => {
  const { file, logged } = open('/nowhere/migrations.json');

  expect(await file.load()).toEqual([]);
  expect(logged).toEqual([]);
});

it('says when a file cannot be read, and leaves out what makes no sense', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-pending-'));
  const path = join(directory.path, 'migrations.json');
  const { file, logged } = open(path);

  await writeFile(path, '[{"guest":');
  expect(await file.load()).toEqual([]);
  expect(logged.join('')).toContain('cannot be read');

  await writeFile(path, JSON.stringify([record('one'), null, 7]));
  expect(await file.load()).toEqual([record('one')]);
  expect(logged.join('')).toContain('"leftOut":2');
});

it.each<[string, object]>([
  ['the id of a guest', { instance: '../../x' }],
  ['a role', { role: 'guest' }],
  ['a host', { host: '' }],
  ['a time that can be written', { startedAtMs: 1e308 }],
  ['a time since 1970', { startedAtMs: -1 }],
  ['a duration', { elapsedMs: null }],
  ['an answer whether the start is estimated', { isEstimated: 'no' }],
  ['an answer whether its figures are known', { lacksFigures: 'no' }],
  ['progress', { progress: null }],
  ['numbers and words for progress', { progress: { memIteration: {} } }],
  ['an end that there is', { result: { kind: 'lost' } }],
  ['words for an error', { result: { kind: 'failed', error: {} } }],
])('leaves out what has not %s', async (_, broken) => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-pending-'));
  const path = join(directory.path, 'migrations.json');
  const { file } = open(path);
  const { observation, ...rest } = record('two');

  await writeFile(path, JSON.stringify([{ ...rest, observation: { ...observation, ...broken } }, record('one')]));

  expect(await file.load()).toEqual([record('one')]);
});

it('goes on when the disk takes nothing, and keeps it with the next change', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-pending-'));
  const path = join(directory.path, 'missing', 'migrations.json');
  const { file, ignored } = open(path);

  file.save([record('one')]);
  await file.flush();

  expect(ignored).toEqual(['migrations cannot be kept on disk; they are still in memory']);
  await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
});

function open(path: string): {
  readonly file: PendingFile;
  readonly logged: readonly string[];
  readonly ignored: readonly string[];
} {
  const logged: string[] = [];
  const ignored: string[] = [];
  const logger = createLogger({ name: 'test', destination: { write: (line) => logged.push(line) } });
  const file = new PendingFile(path, { logger, ignore: (_error, why) => ignored.push(why) });
  return { file, logged, ignored };
}

const GUESTS = {
  one: '00000000-0000-4000-8000-000000000001',
  two: '00000000-0000-4000-8000-000000000002',
} as const;

function record(name: keyof typeof GUESTS): PendingRecord {
  return {
    guest: 'web',
    uid: 'u-1',
    run: 'boot/1',
    observation: {
      instance: GUESTS[name],
      role: 'origin',
      host: 'a',
      startedAtMs: 1,
      isEstimated: false,
      elapsedMs: 2,
      progress: { memIteration: 3 },
      result: { kind: 'failed', error: 'no space' },
    },
  };
}
