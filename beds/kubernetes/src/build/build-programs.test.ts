import { chmod, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { buildProgram } from './build-programs.ts';
import { builtPrograms, type BuiltProgram } from './built-programs.ts';

const signal = AbortSignal.timeout(30_000);

it('builds every program of a version that the module of it names', async () => {
  const versions = await Promise.all(
    builtPrograms.map(async ({ name, module, version }) => {
      const text = await readFile(join(module, 'go.mod'), 'utf8');
      return { name, isNamed: name === 'pause' || text.includes(` v${version}\n`) };
    }),
  );

  expect(versions).toEqual(builtPrograms.map(({ name }) => ({ name, isNamed: true })));
});

it('says what to install where there is no Go', async () => {
  await using place = await goPlace('#!/bin/sh\nexit 0\n');
  const environment = { PATH: '/nowhere' };

  const built = buildProgram(place.program, place.path, { environment, signal });

  await expect(built).rejects.toMatchObject({
    code: 'missing-program',
    message: expect.stringContaining('install Go'),
  });
});

it('puts a program in its place only when it is whole', async () => {
  await using place = await goPlace('#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho half >"$2"\nexit 1\n');
  const environment = { PATH: `${place.directory}:/usr/bin:/bin` };

  const built = buildProgram(place.program, place.path, { environment, signal });

  await expect(built).rejects.toMatchObject({ code: 'build-failed' });
  expect(await readdir(place.directory)).toEqual(['go']);
});

interface GoPlace extends AsyncDisposable {
  readonly directory: string;
  readonly program: BuiltProgram;
  readonly path: string;
}

/** A directory with a program called go. */
async function goPlace(script: string): Promise<GoPlace> {
  const made = await mkdtempDisposable(join(tmpdir(), 'smalt-go-'));
  await writeFile(join(made.path, 'go'), script);
  await chmod(join(made.path, 'go'), 0o755);
  const [first] = builtPrograms;
  if (first === undefined) throw new Error('nothing is built');
  return {
    directory: made.path,
    program: { ...first, module: made.path },
    path: join(made.path, 'program'),
    [Symbol.asyncDispose]: () => made[Symbol.asyncDispose](),
  };
}
