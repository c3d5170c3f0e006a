import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { afterEach, expect, it } from 'vitest';

import { parseProcessors } from '../processors.ts';
import { Cgroups, openCgroups } from './cgroups.ts';

const signal = AbortSignal.timeout(60_000);
const made: { readonly cgroups: Cgroups; readonly path: string }[] = [];

afterEach(async () => {
  for (const { cgroups, path } of made.splice(0)) {
    await cgroups.kill(path, signal);
    await cgroups.remove(path);
  }
});

it('makes a cgroup with limits and leaves in every hierarchy, and again without harm', async () => {
  const { cgroups, path } = await makeCgroup();

  const problems = await cgroups.make({
    path,
    leaves: ['launcher', 'guest'],
    limits: { memoryLimitBytes: 64n << 20n },
  });

  expect(problems.filter((problem) => problem.startsWith('memory'))).toEqual([]);
  const memory = cgroups.hierarchies.find(({ controllers }) => controllers.includes('memory'));
  const file = memory?.version === 2 ? 'memory.max' : 'memory.limit_in_bytes';
  expect((await readFile(join(memory?.mountPoint ?? '', path, file), 'utf8')).trim()).toBe('67108864');
  for (const { mountPoint } of cgroups.hierarchies) await access(join(mountPoint, path, 'guest/cgroup.procs'));
});

it('moves processes in, and tells when the last one has ended', async () => {
  const { cgroups, path } = await makeCgroup();
  const process = await sleeper();
  let changes = 0;
  using _watch = cgroups.watch(`${path}/guest`, () => void changes++);

  await cgroups.moveInto(`${path}/guest`, process.pid ?? 0);
  await expect.poll(() => changes).toBe(1);
  const inside = await cgroups.processIds(path);
  const membership = await readFile(`/proc/${process.pid ?? 0}/cgroup`, 'utf8');
  process.kill();
  await expect.poll(() => changes).toBe(2);

  expect(inside).toEqual([process.pid]);
  const lines = membership.split('\n').filter((line) => line.endsWith(`${path}/guest`));
  expect(lines).toHaveLength(cgroups.hierarchies.length);
  expect(await cgroups.isPopulated(path)).toBe(false);
});

it('keeps processes on the processors of their pod, and lets them have others again', async () => {
  const { cgroups, path } = await makeCgroup();
  const process = await sleeper();
  await cgroups.moveInto(`${path}/guest`, process.pid ?? 0);
  const before = await allowed(process);

  const narrowed = await cgroups.confine(path, ['launcher', 'guest'], [0]);
  const meanwhile = await allowed(process);
  const widened = await cgroups.confine(path, ['launcher', 'guest'], parseProcessors(before));

  expect([...narrowed, ...widened]).toEqual([]);
  expect([meanwhile, await allowed(process)]).toEqual(['0', before]);
});

it('watches a cgroup that is not there yet', async () => {
  const { cgroups, path } = await makeCgroup();
  let isToldOf = false;
  using _watch = cgroups.watch(`${path}/later`, () => {
    isToldOf = true;
  });

  await cgroups.make({ path, leaves: ['later'], limits: {} });
  await cgroups.moveInto(`${path}/later`, (await sleeper()).pid ?? 0);

  await expect.poll(() => isToldOf && cgroups.isPopulated(`${path}/later`), { timeout: 5_000 }).toBe(true);
});

it.each([2, 1] as const)('kills all processes, those below too, with version %i', async (version) => {
  const { cgroups: all, path } = await makeCgroup();
  const chosen = all.hierarchies.filter((each) => each.version === version);
  const cgroups = chosen.length === 0 ? all : new Cgroups(chosen);
  // A shell that makes others as fast as it can: each is to be found.
  const forker = spawn('/bin/sh', ['-c', 'for i in $(seq 200); do sleep 60 & sleep 0.02; done'], { stdio: 'ignore' });
  const ended = once(forker, 'exit');
  await cgroups.moveInto(`${path}/guest`, forker.pid ?? 0);
  await cgroups.moveInto(`${path}/launcher`, (await sleeper()).pid ?? 0);
  await expect.poll(async () => (await cgroups.processIds(path)).length).toBeGreaterThan(3);

  await cgroups.kill(path, signal);

  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(await cgroups.processIds(path)).toEqual([]);
});

it('removes a cgroup from every hierarchy, and not while it has processes', async () => {
  const { cgroups, path } = await makeCgroup();
  await cgroups.moveInto(`${path}/guest`, (await sleeper()).pid ?? 0);

  await expect(cgroups.remove(path)).rejects.toMatchObject({ code: 'still-populated' });
  await cgroups.kill(path, signal);
  await cgroups.remove(path);

  for (const { mountPoint } of cgroups.hierarchies)
    await expect(access(join(mountPoint, path))).rejects.toThrow('ENOENT');
  await cgroups.remove(path);
});

it('lets a user that is not root kill the guest, and nothing else', async () => {
  const { cgroups, path } = await makeCgroup();
  const guest = await sleeper();
  const ended = once(guest, 'exit');
  await cgroups.moveInto(`${path}/guest`, guest.pid ?? 0);
  await cgroups.letKill(`${path}/guest`, 107);
  const [unified] = cgroups.hierarchies;
  const write = (file: string): Promise<number> => runAs107(`echo 1 >${join(unified?.mountPoint ?? '', path, file)}`);

  expect(await write('launcher/cgroup.kill')).not.toBe(0);
  expect(await write('guest/cgroup.procs')).not.toBe(0);
  expect(await write('guest/cgroup.kill')).toBe(0);
  expect(await ended).toEqual([null, 'SIGKILL']);
});

it('says whether the process or the cgroup is gone', async () => {
  const { cgroups, path } = await makeCgroup();
  const process = await sleeper();
  process.kill();
  await once(process, 'exit');

  await expect(cgroups.moveInto(`${path}/guest`, process.pid ?? 0)).rejects.toMatchObject({ code: 'process-gone' });
  await expect(cgroups.moveInto(`${path}/none`, 1)).rejects.toMatchObject({ code: 'cgroup-gone' });
});

it('needs at least one hierarchy', () => {
  expect(() => new Cgroups([])).toThrow('mount cgroup2 at /sys/fs/cgroup');
});

async function makeCgroup(): Promise<{ readonly cgroups: Cgroups; readonly path: string }> {
  const cgroups = await openCgroups();
  const path = `/smalt-test-${randomBytes(6).toString('hex')}`;
  await cgroups.make({ path, leaves: ['launcher', 'guest'], limits: {} });
  made.push({ cgroups, path });
  return { cgroups, path };
}

async function allowed({ pid = 0 }: ChildProcess): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return /^Cpus_allowed_list:\s*(.*)$/m.exec(status)?.[1] ?? '';
}

async function sleeper(): Promise<ChildProcess> {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  return child;
}

async function runAs107(script: string): Promise<number> {
  const child = spawn('/bin/sh', ['-c', script], { stdio: 'ignore', uid: 107, gid: 107 });
  const [code] = await once(child, 'exit');
  return Number(code);
}
