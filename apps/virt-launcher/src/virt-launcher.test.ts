import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

import { openCgroups, type Cgroups } from '@smalt/pod-sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';

const REPOSITORY = resolve(import.meta.dirname, '../../..');
const MAIN = join(REPOSITORY, 'apps/smalt/src/main.ts');
const CACHE = join(REPOSITORY, 'node_modules/.cache/compiled');
const MIB = 1024;

let directory: string;
let path: string;
let cgroups: Cgroups;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'smalt-launcher-'));
  path = `/smalt-test-${basename(directory)}`;
  cgroups = await openCgroups();
  await cgroups.make({ path, leaves: [], limits: {} });
});

afterAll(async () => {
  await cgroups.kill(path, AbortSignal.timeout(10_000));
  await cgroups.remove(path);
  await rm(directory, { recursive: true });
});

it('ends when its guest has come and ended', async () => {
  const launcher = await launch('comes-and-goes');
  const guest = await startGuest('comes-and-goes');
  await launcher.until('the guest is here');

  guest.kill();

  expect(await launcher.ended).toEqual([0, null]);
  expect(await termination()).toEqual({ exitCode: 0, message: '' });
});

it('waits for its guest when it is told to end, and when it is told so twice', async () => {
  const launcher = await launch('asked');
  const guest = await startGuest('asked');
  await launcher.until('the guest is here');

  launcher.child.kill('SIGTERM');
  await launcher.until('told to end; waiting for the guest to');
  launcher.child.kill('SIGTERM');
  await launcher.until('told to end once more; still waiting for the guest');
  expect(launcher.child.exitCode).toBeNull();
  guest.kill();

  expect(await launcher.ended).toEqual([0, null]);
});

it('kills the guest when the grace period is over, though it is not root', async () => {
  const launcher = await launch('stubborn', ['--grace-period-seconds=0', '--user=107:107']);
  const guest = await startGuest('stubborn');
  const ended = once(guest, 'exit');
  await cgroups.letKill(`${path}/stubborn`, 107);
  await launcher.until('the guest is here');

  launcher.child.kill('SIGTERM');

  expect(await launcher.ended).toEqual([0, null]);
  expect(await ended).toEqual([null, 'SIGKILL']);
});

it('ends at once when there is no guest, and at a second signal by a person', async () => {
  const idle = await launch('idle');
  idle.child.kill('SIGTERM');
  const impatient = await launch('impatient');
  await startGuest('impatient');
  await impatient.until('the guest is here');
  impatient.child.kill('SIGTERM');
  await impatient.until('told to end');
  impatient.child.kill('SIGINT');

  expect(await idle.ended).toEqual([0, null]);
  expect(await impatient.ended).toEqual([143, null]);
});

it('takes little memory once it has started, for there is one per guest', async () => {
  const launchers = await Promise.all([launch('small-1'), launch('small-2')]);
  const largest = async (): Promise<number> =>
    Math.max(...(await Promise.all(launchers.map(({ child }) => privateMemory(child.pid ?? 0)))));

  await expect.poll(largest, { timeout: 5_000 }).toBeLessThan(15 * MIB);

  for (const { child } of launchers) child.kill('SIGTERM');
  await Promise.all(launchers.map(({ ended }) => ended));
});

interface Launcher {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown[]>;
  until(message: string): Promise<void>;
}

async function launch(name: string, more: readonly string[] = []): Promise<Launcher> {
  await cgroups.make({ path, leaves: [name], limits: {} });
  const flags = ['--name=vm', '--namespace=default', '--uid=u', '--hypervisor=qemu'];
  const own = [`--sandbox=${directory}`, `--guest-cgroup=${path}/${name}`];
  const child = spawn(process.execPath, [MAIN, 'virt-launcher', ...flags, ...own, ...more], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { NODE_COMPILE_CACHE: CACHE },
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const until = async (message: string): Promise<void> => {
    await expect.poll(() => text, { timeout: 10_000 }).toContain(message);
  };
  const launcher = { child, ended: once(child, 'exit'), until };
  await launcher.until('waiting for the guest');
  return launcher;
}

async function startGuest(name: string): Promise<ChildProcess> {
  const guest = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(guest, 'spawn');
  await cgroups.moveInto(`${path}/${name}`, guest.pid ?? 0);
  return guest;
}

async function termination(): Promise<unknown> {
  return JSON.parse(await readFile(join(directory, 'termination.json'), 'utf8'));
}

async function privateMemory(processId: number): Promise<number> {
  const text = await readFile(`/proc/${processId}/smaps_rollup`, 'utf8');
  return [...text.matchAll(/^Private_\w+: +(\d+) kB$/gm)].reduce((sum, [, kib]) => sum + Number(kib), 0);
}
