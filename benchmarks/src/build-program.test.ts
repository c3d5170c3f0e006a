import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { buildProgram, type ProgramSource } from './build-program.ts';

let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'smalt-build-'));
  await writeFile(join(folder, 'source'), 'first');
});

afterEach(() => rm(folder, { recursive: true }));

it('builds once, and again only when a source changes', async () => {
  const first = await buildProgram(copier(), join(folder, 'cache'), inTime());
  const again = await buildProgram(copier({ build: () => ['false'] }), join(folder, 'cache'), inTime());
  await writeFile(join(folder, 'source'), 'second');
  const changed = await buildProgram(copier(), join(folder, 'cache'), inTime());

  expect(again).toBe(first);
  expect([await readFile(first, 'utf8'), await readFile(changed, 'utf8')]).toEqual(['first', 'second']);
});

it('leaves no program behind when the build fails, and tells what the compiler said', async () => {
  const failing = copier({ build: (output) => ['sh', '-c', `echo half > ${output}.part; echo no header >&2; exit 1`] });

  const built = buildProgram(failing, join(folder, 'cache'), inTime());

  await expect(built).rejects.toMatchObject({ code: 'build-failed', message: expect.stringContaining('no header') });
  expect((await readdir(join(folder, 'cache'))).filter((name) => !name.endsWith('.part'))).toEqual([]);
});

it('says so when there is no compiler', async () => {
  const built = buildProgram(copier({ version: ['no-such-compiler'] }), join(folder, 'cache'), inTime());

  await expect(built).rejects.toMatchObject({ code: 'build-failed', message: expect.stringContaining('ENOENT') });
});

function copier(changes: Partial<ProgramSource> = {}): ProgramSource {
  return {
    name: 'copy',
    folder,
    files: ['source'],
    version: ['echo', '1'],
    build: (output) => ['cp', 'source', output],
    ...changes,
  };
}

function inTime(): AbortSignal {
  return AbortSignal.timeout(10_000);
}
