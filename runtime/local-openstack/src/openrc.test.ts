import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, it } from 'vitest';

import { clientScript, openrcText } from './openrc.ts';

const run = promisify(execFile);

it('gives a shell what it says, whatever signs are in it', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), "smalt it's $HOME "));
  const openrc = join(place.path, 'openrc');
  await writeFile(openrc, openrcText({ OS_PASSWORD: `a'b"c$d` }, join(place.path, 'bin')));

  const { stdout } = await run('bash', ['-c', 'source "$0"; printf "%s\n" "$OS_PASSWORD" "${PATH%%:*}"', openrc]);

  expect(stdout).toBe(`a'b"c$d\n${join(place.path, 'bin')}\n`);
});

it('runs the client of the software with its own modules', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt client '));
  const script = join(place.path, 'openstack');
  await mkdir(join(place.path, 'root/usr/bin'), { recursive: true });
  const program = 'import os, sys; print(os.environ["PYTHONPATH"], sys.argv[1:])';
  await writeFile(join(place.path, 'root/usr/bin/openstack'), program);
  await writeFile(script, clientScript(place.path));
  await chmod(script, 0o700);

  const { stdout } = await run(script, ['server', 'a b']);

  expect(stdout).toBe(`${place.path}/root/usr/lib/python3/dist-packages ['server', 'a b']\n`);
});
