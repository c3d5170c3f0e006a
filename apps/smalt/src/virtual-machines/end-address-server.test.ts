import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { endAddressServer } from './end-address-server.ts';

it('ends the process that has the settings of the handler, and no other that got its number', async () => {
  await using place = await mkdtempDisposable(join(tmpdir(), 'smalt-addresses-'));
  const directory = join(place.path, 'networks/nat');
  await mkdir(directory, { recursive: true });
  const signal = AbortSignal.timeout(10_000);
  const own = await idleProcess(`--conf-file=${join(directory, 'dnsmasq.conf')}`);
  const other = await idleProcess('--conf-file=/etc/dnsmasq.conf');
  const pidFile = join(directory, 'dnsmasq.pid');

  await endAddressServer(place.path, signal);
  await writeFile(pidFile, `${other.pid}\n`);
  await endAddressServer(place.path, signal);
  await writeFile(pidFile, `${own.pid}\n`);
  const ended = once(own, 'exit');
  await endAddressServer(place.path, signal);

  expect(await ended).toEqual([null, 'SIGTERM']);
  expect(other.exitCode ?? other.signalCode).toBeNull();
  other.kill('SIGKILL');
});

async function idleProcess(word: string): Promise<ChildProcess> {
  const child = spawn('bash', ['-c', 'read -r', 'idle', word], { stdio: ['pipe', 'ignore', 'ignore'] });
  await once(child, 'spawn');
  return child;
}
