import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runProgram } from '@smalt/libvirt-daemon';
import { expect, it } from 'vitest';

it('nothing stays of an owner that is killed while its machine runs', async () => {
  const owner = spawn(process.execPath, [`${import.meta.dirname}/fixtures/start-machine.ts`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(owner, 'close');
  const [line] = (await once(owner.stdout, 'data')) as [Buffer];
  const pid = Number(/^machine (\d+)/.exec(line.toString())?.[1]);
  const namespace = await readlink(`/proc/${pid}/ns/pid`);
  const before = { processes: await processesIn(namespace), cgroups: await cgroupsOf(owner.pid ?? 0) };

  owner.kill('SIGKILL');
  await closed;

  // systemd, its bus, and the service.
  expect(before.processes.length).toBeGreaterThanOrEqual(3);
  expect(before.cgroups).toHaveLength(1);
  await expect.poll(async () => processesIn(namespace), { timeout: 10_000 }).toEqual([]);
  await expect.poll(async () => cgroupsOf(owner.pid ?? 0), { timeout: 15_000 }).toEqual([]);
});

async function processesIn(namespace: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // Processes come and go while we look.
  const links = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/ns/pid`).catch(() => '')));
  return pids.filter((_, index) => links[index] === namespace);
}

/** The cgroups that bear the owner's pid, seen through a mount that goes with the program that looks. */
async function cgroupsOf(owner: number): Promise<readonly string[]> {
  const directory = await mkdtemp(join(tmpdir(), 'smalt-cgroup-'));
  try {
    const look = 'mount -t cgroup2 cgroup2 "$1" && ls "$1"';
    const unshare = { name: 'unshare', debianPackage: 'util-linux' };
    const names = await runProgram(unshare, ['--mount', 'sh', '-c', look, 'look', directory]);
    return names
      .toString()
      .split('\n')
      .filter((name) => name.startsWith(`smalt-bed-${owner}-`));
  } finally {
    await rm(directory, { recursive: true });
  }
}
