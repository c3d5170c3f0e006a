import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openCgroups, type Cgroups } from '../cgroup/cgroups.ts';
import { countingHierarchy } from './container-cgroup.ts';
import { isFirstInNamespace } from './container-process.ts';
import type { KubeletPod } from './kubelet-pod.ts';
import { KubeletSandboxes } from './kubelet-sandboxes.ts';
import { printDevice } from './locate-volumes.ts';
import { ownProcessors } from './own-processors.ts';

const signal = AbortSignal.timeout(120_000);

let directory: string;
let root: string;
let cgroups: Cgroups;
let pods: Map<string, KubeletPod>;
let sandboxes: KubeletSandboxes;
let processes: ChildProcess[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'smalt-kubelet-'));
  // A kubelet that was told to stay below another cgroup than the root.
  root = `/smalt-test-${basename(directory)}`;
  cgroups = await openCgroups();
  pods = new Map();
  processes = [];
  sandboxes = new KubeletSandboxes({ find: async (podUid) => pods.get(podUid) }, cgroups);
});

afterEach(async () => {
  await cgroups.kill(root, signal);
  await cgroups.remove(root);
  await rm(directory, { recursive: true, force: true });
});

describe('the sandbox of a pod', () => {
  it('has the first process of its container, and what is mounted there', async () => {
    await mkdir(join(directory, 'node/claim'), { recursive: true });
    const pod = await startPod({ mounts: { claim: join(directory, 'node/claim') } });

    const sandbox = await sandboxes.find(pod.uid, signal);

    expect(sandbox).toMatchObject({
      podUid: pod.uid,
      namespace: 'shop',
      name: 'virt-launcher-vm',
      guestCgroup: `${pod.cgroup}/guest`,
      volumes: { claim: { kind: 'directory', path: join(directory, 'node/claim'), isHidden: true } },
    });
    expect(sandbox?.problems).toBeUndefined();
    expect(sandbox?.hasDeviceRules === true).toBe(countingHierarchy(cgroups.hierarchies)?.version === 2);
    expect(await nameOf(sandbox?.launcher?.processId)).toBe('sleep');
    expect(await sandboxes.find(pod.uid, signal)).toBe(sandbox);
  });

  it('marks images, and shows no other file system under the path of one', async () => {
    await mkdir(join(directory, 'node/image'), { recursive: true });
    const pod = await startPod({ mounts: { disk: join(directory, 'node/image') }, images: ['disk'] });

    const { volumes } = (await sandboxes.find(pod.uid, signal)) ?? {};

    const path = join(directory, 'node/image');
    expect(volumes).toEqual({ disk: { kind: 'directory', path, isHidden: true, isImage: true } });
  });

  it('has no volume whose place on the node was taken by something else, and says so', async () => {
    const claim = join(directory, 'node/claim');
    await mkdir(claim, { recursive: true });
    const pod = await startPod({ mounts: { claim } });
    await rm(claim, { recursive: true });
    await symlink('/etc', claim);

    const sandbox = await sandboxes.find(pod.uid, signal);

    expect(sandbox?.volumes).toEqual({});
    expect(sandbox?.problems?.['claim']).toMatch(/cannot be seen by virt-handler: mount what it lies in/);
  });

  it('finds block devices by their numbers, not by their names', async () => {
    const [numbers] = await readdir('/sys/dev/block');
    const uevent = await readFile(`/sys/dev/block/${numbers}/uevent`, 'utf8');
    const path = `/dev/${/^DEVNAME=(.*)$/m.exec(uevent)?.[1]}`;
    const pod = await startPod({ devices: { data: path, gone: '/dev/no-such-disk', file: '/dev/null' } });

    const sandbox = await sandboxes.find(pod.uid, signal);

    expect(sandbox?.volumes).toEqual({ data: { kind: 'block', path } });
    expect(Object.keys(sandbox?.problems ?? {}).toSorted()).toEqual(['file', 'gone']);
  });

  it('goes when its launcher ends, and is that of the next one when that runs', async () => {
    const pod = await startPod({});
    const first = await sandboxes.find(pod.uid, signal);

    await stop();
    const between = await sandboxes.find(pod.uid, signal);
    await startContainer(pod.cgroup, {});
    const second = await sandboxes.find(pod.uid, signal);

    expect(between).toBeUndefined();
    expect(second?.launcher?.processId).not.toBe(first?.launcher?.processId);
  });

  it.each([
    ['of another uid', (pod: KubeletPod): KubeletPod => ({ ...pod, metadata: { ...pod.metadata, uid: randomUUID() } })],
    ['that has no container yet', (pod: KubeletPod): KubeletPod => ({ ...pod, status: {} })],
  ])('is not that of a pod %s', async (_, change) => {
    const { uid } = await startPod({});
    const pod = pods.get(uid);
    if (pod !== undefined) pods.set(uid, change(pod));

    expect(await sandboxes.find(uid, signal)).toBeUndefined();
  });

  it('is not looked for by what is no uid', async () => {
    expect(await sandboxes.find('../../etc', signal)).toBeUndefined();
  });
});

describe('the processes of a guest', () => {
  it('are counted apart from the launcher, and held by the limits of its container', async () => {
    const pod = await startPod({});
    const sandbox = await sandboxes.find(pod.uid, signal);
    if (sandbox === undefined) throw new Error('the pod has no sandbox');
    const guest = await sleeper();

    await sandboxes.moveToGuestCgroup(sandbox, [guest.pid ?? 0], signal);

    const lines = (await readFile(`/proc/${guest.pid}/cgroup`, 'utf8')).split('\n');
    const inside = lines.filter((line) => line.includes(pod.cgroup));
    expect(inside).toHaveLength(cgroups.hierarchies.length);
    expect(inside.filter((line) => line.endsWith('/guest'))).toHaveLength(1);
    expect((await sandboxes.find(pod.uid, signal))?.launcher).toEqual(sandbox.launcher);
  });

  it('are not moved when the launcher has ended', async () => {
    const pod = await startPod({});
    const sandbox = await sandboxes.find(pod.uid, signal);
    if (sandbox === undefined) throw new Error('the pod has no sandbox');
    await stop();

    const moving = sandboxes.moveToGuestCgroup(sandbox, [(await sleeper()).pid ?? 0], signal);

    await expect(moving).rejects.toMatchObject({ code: 'cgroup-gone' });
  });
});

it.each([
  ['Name:\tsleep\nNSpid:\t4711\t1\n', true],
  ['NSpid:\t4711\t17\n', false],
  ['NSpid:\t1\n', false],
  ['', false],
])('tells the first process of a container by %j', (status, is) => {
  expect(isFirstInNamespace(status)).toBe(is);
});

it.each([
  [0x0811n, '8:17'],
  [0x10010300n, '259:65536'],
])('prints the numbers of %s', (device, text) => {
  expect(printDevice(device)).toBe(text);
});

it.each([
  ['as many as its limit', { cpu: '2' }, [4, 5], [4, 5]],
  ['as many as its limit in thousandths', { cpu: '2000m' }, [4, 5], [4, 5]],
  ['more than its limit, which are those of all', { cpu: '2' }, [0, 1, 2, 3], undefined],
  ['a part of one', { cpu: '1500m' }, [0, 1], undefined],
  ['no limit', undefined, [0, 1], undefined],
  ['no cgroup that says so', { cpu: '2' }, undefined, undefined],
])('has processors to itself by %s: %j %j', (_, limits, usable, own) => {
  const container = { name: 'compute', resources: { limits } };

  expect(ownProcessors(container, 'Guaranteed', usable)).toEqual(own);
  expect(ownProcessors(container, 'Burstable', usable)).toBeUndefined();
});

it('counts guests where containers see them too', () => {
  const second = { version: 2, mountPoint: '/u', controllers: [] } as const;
  const pids = { version: 1, mountPoint: '/p', controllers: ['pids'] } as const;

  expect(countingHierarchy([second, pids])).toBe(pids);
  expect(countingHierarchy([second])).toBe(second);
  expect(countingHierarchy([])).toBeUndefined();
});

interface Contents {
  /** Directories of the node by the names of volumes. */
  readonly mounts?: Readonly<Record<string, string>>;
  readonly devices?: Readonly<Record<string, string>>;
  readonly images?: readonly string[];
}

/** A pod as a kubelet with containerd and without systemd would have made it. */
async function startPod(contents: Contents): Promise<{ readonly uid: string; readonly cgroup: string }> {
  const uid = randomUUID();
  const containerId = randomBytes(32).toString('hex');
  const cgroup = `${root}/kubepods/burstable/pod${uid}/${containerId}`;
  const { mounts = {}, devices = {}, images = [] } = contents;
  pods.set(uid, {
    metadata: { name: 'virt-launcher-vm', namespace: 'shop', uid },
    spec: {
      containers: [
        {
          name: 'compute',
          volumeMounts: Object.keys(mounts).map((name) => ({ name, mountPath: insideOf(name) })),
          volumeDevices: Object.entries(devices).map(([name, devicePath]) => ({ name, devicePath })),
        },
      ],
      volumes: Object.keys(mounts).map((name) => ({ name, ...(images.includes(name) && { image: {} }) })),
    },
    status: {
      qosClass: 'Burstable',
      containerStatuses: [{ name: 'compute', containerID: `containerd://${containerId}` }],
    },
  });
  await cgroups.make({ path: cgroup, leaves: [], limits: {} });
  await startContainer(cgroup, mounts);
  return { uid, cgroup };
}

function insideOf(name: string): string {
  return join(directory, 'inside', name);
}

async function startContainer(cgroup: string, mounts: Readonly<Record<string, string>>): Promise<void> {
  for (const name of Object.keys(mounts)) await mkdir(insideOf(name), { recursive: true });
  const enter = cgroups.entrances(cgroup).map((file) => `echo $$ > ${file}`);
  const bind = Object.entries(mounts).map(([name, source]) => `mount --bind ${source} ${insideOf(name)}`);
  const isUp = join(directory, `up-${randomUUID()}`);
  const inside = [...bind, `touch ${isUp}`, 'exec sleep 120'].join(' && ');
  const unshare = 'exec unshare --mount --pid --fork --kill-child sh -c "$0"';
  const container = spawn('sh', ['-c', [...enter, unshare].join(' && '), inside], { stdio: 'ignore' });
  processes.push(container);
  await expect
    .poll(
      () =>
        access(isUp).then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
  await expect
    .poll(async () => (await readFile(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8')) !== '')
    .toBe(true);
}

async function stop(): Promise<void> {
  const [container] = processes.splice(0, 1);
  const ended = once(container ?? process, 'exit');
  container?.kill('SIGKILL');
  await ended;
  await expect.poll(() => cgroups.isPopulated(root)).toBe(false);
}

async function sleeper(): Promise<ChildProcess> {
  const child = spawn('sleep', ['120'], { stdio: 'ignore' });
  await once(child, 'spawn');
  return child;
}

async function nameOf(processId: number | undefined): Promise<string> {
  return (await readFile(`/proc/${processId}/comm`, 'utf8')).trim();
}
