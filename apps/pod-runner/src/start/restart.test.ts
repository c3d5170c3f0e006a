import { once } from 'node:events';
import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isProcessRunning, type PodSandbox } from '@smalt/pod-sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { launcherPod, startRunnerBed, type RunnerBed } from '../fixtures/runner-bed.ts';
import type { RunnerPod } from '../pods/pod.ts';

let bed: RunnerBed;

beforeAll(async () => {
  bed = await startRunnerBed();
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it(
  'finds everything again after it was killed, and misses nothing of what happened meanwhile',
  { timeout: 60_000 },
  async () => {
    const names = ['stays', 'guest-ended', 'launcher-killed', 'forced', 'deleted', 'rebooted'];
    const killed = await bed.spawnRunner();
    for (const name of names) await bed.create(launcherPod(name));
    const of = await sandboxesOf(names);
    const guest = await bed.startGuest(of('guest-ended'));
    const survivor = await bed.startGuest(of('launcher-killed'));
    const orphan = await bed.startGuest(of('forced'));
    const ends = [once(survivor, 'exit'), once(orphan, 'exit')];
    await untilLogged(of('guest-ended'), 'the guest is here');
    const before = await bed.pods.get('stays', { namespace: 'default' });

    killed.kill('SIGKILL');
    await once(killed, 'exit');
    guest.kill();
    process.kill(launcherOf(of('launcher-killed')), 'SIGKILL');
    await bed.pods.delete('forced', { namespace: 'default', gracePeriodSeconds: 0 });
    await bed.pods.delete('deleted', { namespace: 'default' });
    await pretendReboot(of('rebooted'));
    await leaveRubbish('11111111-dead-4000-beef-000000000000');
    await mkdir(join(bed.podsDirectory, 'not-ours'));
    const runner = await bed.startRunner();

    expect(await bed.until('guest-ended', hasEnded)).toMatchObject({ status: { phase: 'Succeeded' } });
    expect(await bed.until('launcher-killed', hasEnded)).toMatchObject({
      status: { phase: 'Failed', reason: 'Error' },
    });
    expect(await bed.until('rebooted', hasEnded)).toMatchObject({
      status: { phase: 'Failed', reason: 'NodeRebooted' },
    });
    await bed.untilGone('deleted');
    await expect.poll(() => bed.sandboxes.find(of('forced').podUid)).toBeUndefined();
    expect(await Promise.all(ends)).toEqual([
      [null, 'SIGKILL'],
      [null, 'SIGKILL'],
    ]);
    await expect
      .poll(async () => (await bed.sandboxes.list()).map(({ name }) => name).toSorted())
      .toEqual(['guest-ended', 'launcher-killed', 'rebooted', 'stays']);
    await access(join(bed.podsDirectory, 'not-ours'));
    await expect(access(join(bed.podsDirectory, '11111111-dead-4000-beef-000000000000'))).rejects.toThrow('ENOENT');
    const after = await bed.pods.get('stays', { namespace: 'default' });
    expect(after.metadata.resourceVersion).toBe(before.metadata.resourceVersion);
    expect(await bed.sandboxOf(after)).toEqual(of('stays'));
    expect(await isAlive(of('stays'))).toBe(true);
    await runner[Symbol.asyncDispose]();
  },
);

it('never starts a second launcher for a pod, whenever it is killed', { timeout: 60_000 }, async () => {
  const names = Array.from({ length: 2 }, (_, index) => `race-${index}`);

  for (const name of names) {
    const runner = await bed.spawnRunner();
    const created = await bed.create(launcherPod(name));
    // As soon as there is a sign of the launcher, whatever the runner has written down by then.
    await expect.poll(() => signOf(created), { interval: 1, timeout: 20_000 }).toBe(true);
    runner.kill('SIGKILL');
    await once(runner, 'exit');
  }
  const runner = await bed.startRunner();
  const pods = await Promise.all(names.map((name) => bed.until(name, isRunning)));
  const launchers = await Promise.all(pods.map(launchersOf));

  expect(launchers).toEqual(names.map(() => 1));
  for (const pod of pods) expect(await isAlive(await bed.sandboxOf(pod))).toBe(true);
  await runner[Symbol.asyncDispose]();
});

it('does not start a launcher again of which nothing is left', async () => {
  await bed.create(launcherPod('lost'));
  await bed.pods.patch(
    'lost',
    'merge',
    { status: { phase: 'Running' } },
    { namespace: 'default', subresource: 'status' },
  );

  await using _runner = await bed.startRunner();
  const pod = await bed.until('lost', hasEnded);

  expect(pod.status).toMatchObject({ phase: 'Failed', reason: 'ContainerStatusUnknown' });
});

it('goes on through an outage of the API', { timeout: 60_000 }, async () => {
  await using _runner = await bed.startRunner();
  await bed.create(launcherPod('outage'));
  const sandbox = await bed.sandboxOf(await bed.until('outage', isRunning));
  const guest = await bed.startGuest(sandbox);
  await untilLogged(sandbox, 'the guest is here');

  await bed.server.kill();
  guest.kill();
  await expect.poll(() => isAlive(sandbox)).toBe(false);
  await bed.server.restart(AbortSignal.timeout(30_000));
  const pod = await bed.until('outage', hasEnded);

  expect(pod.status?.phase).toBe('Succeeded');
});

function isRunning({ status }: RunnerPod): boolean {
  return status?.phase === 'Running';
}

function hasEnded({ status }: RunnerPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function launcherOf({ launcher, name }: PodSandbox): number {
  if (launcher === undefined) throw new Error(`${name} has no launcher`);
  return launcher.processId;
}

async function sandboxesOf(names: readonly string[]): Promise<(name: string) => PodSandbox> {
  const found = new Map<string, PodSandbox>();
  for (const name of names) found.set(name, await bed.sandboxOf(await bed.until(name, isRunning)));
  return (name) => {
    const sandbox = found.get(name);
    if (sandbox === undefined) throw new Error(name);
    return sandbox;
  };
}

async function isAlive({ launcher }: PodSandbox): Promise<boolean> {
  return launcher !== undefined && (await isProcessRunning(launcher));
}

async function untilLogged({ podUid }: PodSandbox, message: string): Promise<void> {
  const read = async (): Promise<string> => await readFile(join(bed.podsDirectory, podUid, 'compute.log'), 'utf8');
  await expect.poll(read, { timeout: 10_000 }).toContain(message);
}

/** What a machine that was started anew leaves of a pod: files, and no process. */
async function pretendReboot(sandbox: PodSandbox): Promise<void> {
  process.kill(launcherOf(sandbox), 'SIGKILL');
  const path = join(bed.podsDirectory, sandbox.podUid, 'sandbox.json');
  await writeFile(path, JSON.stringify({ ...sandbox, launcher: { ...sandbox.launcher, bootId: 'another' } }));
}

async function leaveRubbish(uid: string): Promise<void> {
  await mkdir(join(bed.podsDirectory, uid));
  await writeFile(join(bed.podsDirectory, uid, 'sandbox.json'), 'half a rec');
}

/** Whether the cgroup of a launcher is there. */
async function signOf({ metadata }: RunnerPod): Promise<boolean> {
  return (await bed.cgroups.processIds(`${bed.cgroupRoot}/smalt/pods/${metadata.uid ?? ''}`)).length > 0;
}

async function launchersOf({ metadata }: RunnerPod): Promise<number> {
  return (await bed.cgroups.processIds(`${bed.cgroupRoot}/smalt/pods/${metadata.uid ?? ''}`)).length;
}
