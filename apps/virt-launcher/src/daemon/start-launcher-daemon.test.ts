import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { findProcess } from '@smalt/pod-sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { startLauncherDaemon, type LauncherDaemon } from './start-launcher-daemon.ts';

const run = promisify(execFile);
let sandbox: string;
let daemon: LauncherDaemon;
const log: string[] = [];

beforeAll(async () => {
  sandbox = await mkdtemp(join(tmpdir(), 'smalt-daemon-'));
  daemon = await startLauncherDaemon(
    { hypervisor: 'qemu', sandbox },
    (line) => log.push(line),
    AbortSignal.timeout(30_000),
  );
}, 40_000);

afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
  await rm(sandbox, { recursive: true });
});

it('serves the hypervisor on a socket in the sandbox', async () => {
  expect(daemon.socketPath.startsWith(`${sandbox}/libvirt/run/`)).toBe(true);
  expect(await virsh('list', '--all')).toContain('Id');
});

it('keeps what it knows when it is killed, and is started again', async () => {
  await define('survivor');
  const killed = daemon.processIds.at(-1) ?? 0;

  process.kill(killed, 'SIGKILL');

  await expect.poll(() => virsh('list', '--all', '--name').catch(() => ''), { timeout: 15_000 }).toContain('survivor');
  expect(daemon.processIds.at(-1)).not.toBe(killed);
  expect(log.at(-1)).toContain('has died; starting it again');
});

it('ends its daemons with itself', async () => {
  const { processIds } = daemon;

  await daemon[Symbol.asyncDispose]();

  expect(await Promise.all(processIds.map(findProcess))).toEqual(processIds.map(() => undefined));
});

it('names an unknown hypervisor', async () => {
  const starting = startLauncherDaemon({ hypervisor: 'nothing', sandbox }, () => undefined, AbortSignal.timeout(5_000));

  await expect(starting).rejects.toThrow('nothing');
});

async function virsh(...words: readonly string[]): Promise<string> {
  const uri = `qemu+unix:///system?socket=${daemon.socketPath}`;
  return (await run('virsh', ['--connect', uri, ...words])).stdout;
}

async function define(name: string): Promise<void> {
  const xml = `<domain type='qemu'><name>${name}</name><memory>8192</memory><os><type arch='x86_64'>hvm</type></os></domain>`;
  const file = join(sandbox, `${name}.xml`);
  await writeFile(file, xml);
  await virsh('define', file);
}
