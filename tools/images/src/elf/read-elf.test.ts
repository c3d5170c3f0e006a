import { execFileSync } from 'node:child_process';
import { chmod, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { readElf, stripElf } from './read-elf.ts';

it('tells the loader and the libraries of a program as the loader itself does', async () => {
  const { interpreter, libraries } = readElf(await readFile('/usr/bin/nsenter'));

  const listed = execFileSync('/lib64/ld-linux-x86-64.so.2', ['--list', '/usr/bin/nsenter']).toString();
  expect(interpreter).toBe('/lib64/ld-linux-x86-64.so.2');
  expect(libraries).toContain('libc.so.6');
  for (const name of libraries) expect(listed).toContain(name);
});

it('takes symbols from Node, which runs as before', async () => {
  await using directory = await mkdtempDisposable('/tmp/smalt-elf-');
  const whole = await readFile(process.execPath);
  const path = join(directory.path, 'node');

  const stripped = stripElf(whole);
  await writeFile(path, stripped);
  await chmod(path, 0o755);

  expect(stripped.length).toBeLessThan(whole.length);
  expect(readElf(stripped)).toEqual(readElf(whole));
  const script = 'const {DatabaseSync}=require("node:sqlite");console.log(new DatabaseSync(":memory:").isOpen)';
  expect(execFileSync(path, ['--eval', script], { env: {} }).toString()).toBe('true\n');
});

it('refuses what is no program', () => {
  expect(() => readElf(Buffer.from('#!/bin/sh\n'))).toThrow(expect.objectContaining({ code: 'bad-program' }));
});
