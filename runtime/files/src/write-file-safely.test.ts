import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtempDisposable, open, readdir, readFile } from 'node:fs/promises';
import { readlink, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { afterEach, expect, it, vi } from 'vitest';

import { writeFileSafely } from './write-file-safely.ts';

const DRAFT = /^\.kept\.[0-9a-f]{16}\.smalt-draft$/;
const LONG_AGO = new Date('2020-01-01');

afterEach(() => vi.restoreAllMocks());

it('has the content on the disk, and then the name, before it says so', async () => {
  await using place = await openPlace();
  const synced = await watchSyncs(place.path);

  await writeFileSafely(place.file, 'new');

  expect(synced.map(({ path }) => path)).toEqual([expect.stringMatching(/\/\.kept\.[^/]*$/), place.path]);
  expect(synced.map(({ names }) => names)).toEqual([[expect.stringMatching(DRAFT)], ['kept']]);
  expect(await readFile(place.file, 'utf8')).toBe('new');
});

it('does not wait for the disk where nobody asks for the file after a loss of power', async () => {
  await using place = await openPlace();
  const synced = await watchSyncs(place.path);

  await writeFileSafely(place.file, 'new', { isDurable: false });

  expect(synced).toEqual([]);
  expect(await readFile(place.file, 'utf8')).toBe('new');
});

it.each([
  { mode: undefined, expected: 0o600 },
  { mode: 0o644, expected: 0o644 },
  { mode: 0o666, expected: 0o666 },
])('gives the file the mode $mode, whatever one of before had', async ({ mode, expected }) => {
  await using place = await openPlace();
  await writeFile(place.file, 'old');
  await chmod(place.file, 0o640);

  await writeFileSafely(place.file, 'new', { mode });

  expect((await stat(place.file)).mode & 0o7777).toBe(expected);
});

it('writes bytes as they are', async () => {
  await using place = await openPlace();

  await writeFileSafely(place.file, Uint8Array.of(0, 255, 10));

  expect(await readFile(place.file)).toEqual(Buffer.of(0, 255, 10));
});

it('takes the place of a link, and leaves alone what that leads to', async () => {
  await using place = await openPlace();
  const victim = join(place.path, 'victim');
  await writeFile(victim, 'untouched');
  await symlink(victim, place.file);

  await writeFileSafely(place.file, 'new');

  expect([await readFile(victim, 'utf8'), await readFile(place.file, 'utf8')]).toEqual(['untouched', 'new']);
});

it('leaves nothing behind when it fails', async () => {
  await using place = await openPlace();
  await mkdir(join(place.file, 'in-the-way'), { recursive: true });

  await expect(writeFileSafely(place.file, 'new')).rejects.toThrow('EISDIR');

  expect(await readdir(place.path)).toEqual(['kept']);
});

it('keeps the old content, and nothing else, where there is no room for the new', async () => {
  await using place = await openPlace();
  const script = join(import.meta.dirname, 'fixtures/fill-file-system.ts');

  const { stdout } = await promisify(execFile)('unshare', ['--mount', process.execPath, script, place.path]);

  expect(JSON.parse(stdout)).toEqual({ code: 'ENOSPC', names: ['kept'], text: 'old' });
});

it('lets several write at once, of whom one has the last word', async () => {
  await using place = await openPlace();
  const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(10_000));

  await Promise.all(contents.map((content) => writeFileSafely(place.file, content)));

  expect(contents).toContain(await readFile(place.file, 'utf8'));
  expect(await readdir(place.path)).toEqual(['kept']);
});

it('shows readers one whole content or the other while processes write, and when they are killed', async () => {
  await using place = await openPlace();
  const length = 1 << 18;
  const seen = new Set<string>();

  for (let round = 0; round < 2; round += 1) {
    const writers = await Promise.all([startWriter(place.file, 'ab', length), startWriter(place.file, 'cd', length)]);
    for (let reads = 0; reads < 50; reads += 1) seen.add(await readFile(place.file, 'latin1'));
    // None of them has ended by itself, at an obstacle that the other was.
    expect(writers.map(({ exitCode }) => exitCode)).toEqual([null, null]);
    await Promise.all(writers.map(kill));
    seen.add(await readFile(place.file, 'latin1'));
  }

  const whole = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(length));
  expect([...seen].filter((text) => !whole.includes(text))).toEqual([]);
  expect(seen.size).toBeGreaterThan(1);
});

it('removes drafts of those who were killed, once they are old, and no others', async () => {
  await using place = await openPlace();
  const named = (name: string): string => join(place.path, name);
  const [old, fresh] = ['.other.0123456789abcdef.smalt-draft', '.kept.fedcba9876543210.smalt-draft'];
  for (const name of [old, fresh, '.kept.new', 'of.0123456789abcdef.smalt-draft']) await writeFile(named(name), 'half');
  for (const name of [old, '.kept.new', 'of.0123456789abcdef.smalt-draft'])
    await utimes(named(name), LONG_AGO, LONG_AGO);

  await writeFileSafely(place.file, 'new');

  const left = [fresh, '.kept.new', 'kept', 'of.0123456789abcdef.smalt-draft'];
  expect((await readdir(place.path)).toSorted()).toEqual(left.toSorted());
});

it('removes what a killed writer really leaves, by its name', async () => {
  await using place = await openPlace();
  const left = join(place.path, await draftOfKilled(place));
  await utimes(left, LONG_AGO, LONG_AGO);

  await writeFileSafely(place.file, 'new');

  expect(await readdir(place.path)).toEqual(['kept']);
});

it('has its draft elsewhere if others look into the directory of the file', async () => {
  await using place = await openPlace();
  const volume = join(place.path, 'volume');
  await mkdir(volume);
  const synced = await watchSyncs(volume);

  await writeFileSafely(join(volume, 'token'), 'new', { draftDirectory: place.path });

  expect(synced.map(({ names }) => names)).toEqual([[], ['token']]);
  expect([await readdir(volume), await readdir(place.path)]).toEqual([['token'], ['volume']]);
});

it('finds a name for the draft of a file whose own name is as long as names can be', async () => {
  await using place = await openPlace();
  const names = ['n'.repeat(255), 'ö'.repeat(127), '😀'.repeat(63)];

  for (const name of names) await writeFileSafely(join(place.path, name), 'new');

  expect((await readdir(place.path)).toSorted()).toEqual(names.toSorted());
});

interface Place extends AsyncDisposable {
  readonly path: string;
  readonly file: string;
}

async function openPlace(): Promise<Place> {
  const directory = await mkdtempDisposable(join(tmpdir(), 'smalt-write-'));
  const { path } = directory;
  return { path, file: join(path, 'kept'), [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}

async function startWriter(path: string, letters: string, length: number): Promise<ChildProcess> {
  const script = join(import.meta.dirname, 'fixtures/write-until-killed.ts');
  const writer = spawn(process.execPath, [script, path, letters, String(length)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(writer, 'exit').then(() => expect.fail('the writer has ended by itself'));
  await Promise.race([once(writer.stdout, 'data'), ended]);
  return writer;
}

async function kill(writer: ChildProcess): Promise<void> {
  const ended = once(writer, 'exit');
  writer.kill('SIGKILL');
  await ended;
}

/** Kills a writer while it has a draft; one that is done in that very moment leaves none, and another has its turn. */
async function draftOfKilled({ path, file }: Place): Promise<string> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const writer = await startWriter(file, 'ab', 1 << 22);
    await expect.poll(() => readdir(path), { interval: 1 }).toContainEqual(expect.stringMatching(DRAFT));
    await kill(writer);
    const draft = (await readdir(path)).find((name) => name !== 'kept');
    if (draft !== undefined) return draft;
  }
  return expect.fail('no writer was killed in the middle of it');
}

interface Sync {
  readonly path: string;
  /** What could be seen in a directory then. */
  readonly names: readonly string[];
}

/** What is written through to the disk, in order, by the path that it has at that moment. */
async function watchSyncs(directory: string): Promise<readonly Sync[]> {
  const synced: Sync[] = [];
  await using handle = await open('/dev/null');
  const prototype: typeof handle = Object.getPrototypeOf(handle);
  for (const name of ['sync', 'datasync'] as const) {
    const real = prototype[name];
    vi.spyOn(prototype, name).mockImplementation(async function (this: typeof handle) {
      synced.push({ path: await readlink(`/proc/self/fd/${this.fd}`), names: await readdir(directory) });
      await real.call(this);
    });
  }
  return synced;
}
