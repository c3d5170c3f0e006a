import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { chassisOfCommand, chassisOfFile, readChassisName } from './chassis-name.ts';

it.each([
  { words: ['/usr/bin/ovn-controller', 'unix:/run/openvswitch/db.sock', '-n', 'hv9'], name: 'hv9' },
  { words: ['ovn-controller', '-nhv9', '--log-file'], name: 'hv9' },
  { words: ['ovn-controller', '-n', 'first', '-n', 'last'], name: 'last' },
  { words: ['ovn-controller', '--', '-n', 'hv9'], name: undefined },
  { words: ['ovn-controller', '-n'], name: undefined },
  { words: ['ovn-controller', '--no-chdir', '--pidfile'], name: undefined },
  { words: ['vim', '-n', 'hv9'], name: undefined },
  { words: [''], name: undefined },
])('takes $name from the words $words', ({ words, name }) => {
  expect(chassisOfCommand(words)).toBe(name);
});

it.each([
  ['hv7\n', 'hv7'],
  ['hv7', 'hv7'],
  ['hv7\nhv8\n', 'hv7'],
  ['\n', undefined],
  ['', undefined],
])('takes the first line of %j', (text, name) => {
  expect(chassisOfFile(text)).toBe(name);
});

it('believes the command line before the file, and the file where there is no process', async () => {
  await using host = await makeHost();
  const places = { root: host.path, proc: join(host.path, 'proc') };

  expect(await readChassisName(places, 7)).toBe('of-command');
  expect(await readChassisName(places, 8)).toBe('of-file');
  expect(await readChassisName(places, undefined)).toBe('of-file');
  expect(await readChassisName({ ...places, root: '/nowhere' }, 8)).toBeUndefined();
});

async function makeHost(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'smalt-chassis-'));
  await mkdir(join(path, 'proc/7'), { recursive: true });
  await mkdir(join(path, 'etc/ovn'), { recursive: true });
  await writeFile(join(path, 'proc/7/cmdline'), 'ovn-controller\0-n\0of-command\0');
  await writeFile(join(path, 'etc/ovn/system-id-override'), 'of-file\n');
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
