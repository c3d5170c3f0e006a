import { once } from 'node:events';
import { access, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

import { leaseKind } from '@smalt/controller-runtime';
import { isProcessRunning, type PodSandbox } from '@smalt/pod-sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { launcherPod, startRunnerBed, type RunnerBed } from '../fixtures/runner-bed.ts';
import { nodeKind } from '../node/node-object.ts';
import type { PodRunner } from '../pod-runner.ts';
import type { RunnerPod } from '../pods/pod.ts';

const GATE = 'kubevirt.io/virtual-machine-unpaused';
let bed: RunnerBed;
let runner: PodRunner;

beforeAll(async () => {
  bed = await startRunnerBed();
  runner = await bed.startRunner({ heartbeatMs: 200 });
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it('runs a launcher and tells everything about it in one write', async () => {
  const before = await statusWrites();
  await bed.create(launcherPod('first'));

  const pod = await bed.until('first', isRunning);

  expect(pod.status).toMatchObject({
    phase: 'Running',
    qosClass: 'Burstable',
    podIP: expect.stringMatching(/^[\d.]+$/),
    startTime: expect.any(String),
    containerStatuses: [{ name: 'compute', ready: true, state: { running: { startedAt: expect.any(String) } } }],
  });
  expect(conditionsOf(pod)).toMatchObject({
    Initialized: 'True',
    ContainersReady: 'True',
    Ready: 'True',
    [GATE]: 'True',
  });
  await expect.poll(statusWrites).toBe(before + 1);
  const { metadata } = await bed.pods.get('first', { namespace: 'default' });
  expect(metadata.resourceVersion).toBe(pod.metadata.resourceVersion);
});

it('gives the launcher its own user, session and cgroup, no privileges and no files of the runner', async () => {
  await bed.create(launcherPod('locked-in'));
  const processId = launcherOf(await bed.sandboxOf(await bed.until('locked-in', isRunning)));

  await expect.poll(() => statusOf(processId)).toMatch(/^Uid:\t107\t107\t107\t107$/m);
  const status = await statusOf(processId);
  const files = await readdir(`/proc/${processId}/fd`);
  const targets = await Promise.all(files.map((file) => readlink(`/proc/${processId}/fd/${file}`)));

  expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  expect(status).toMatch(/^CapEff:\t0+$/m);
  expect((await readFile(`/proc/${processId}/stat`, 'utf8')).split(') ')[1]?.split(' ')[3]).toBe(String(processId));
  expect(await readFile(`/proc/${processId}/cgroup`, 'utf8')).toContain(`${bed.cgroupRoot}/smalt/pods/`);
  // Sockets would be connections of the runner: to the API, for example.
  expect(targets.filter((target) => target.startsWith('socket:'))).toEqual([]);
});

it('limits the pod by what its container asks for', async () => {
  await bed.create(launcherPod('limited'));
  const pod = await bed.until('limited', isRunning);
  const path = `${bed.cgroupRoot}/smalt/pods/${pod.metadata.uid ?? ''}`;

  const memory = bed.cgroups.hierarchies.find(({ controllers }) => controllers.includes('memory'));
  const file = memory?.version === 2 ? 'memory.max' : 'memory.limit_in_bytes';
  const limit = await readFile(join(memory?.mountPoint ?? '', path, file), 'utf8');

  expect(limit.trim()).toBe(String(128 * 1024 * 1024));
});

it('registers the node, renews its Lease, and leaves alone what others have written', async () => {
  const nodes = bed.client.resource(nodeKind);
  const extended = { 'devices.kubevirt.io/kvm': '1k' };
  const marks = {
    labels: { 'kubevirt.io/schedulable': 'true' },
    annotations: { 'smalt.dev/virt-handler-url': 'https://n1' },
  };
  await nodes.patch('n1', 'merge', { metadata: marks });
  await nodes.patch(
    'n1',
    'merge',
    { status: { capacity: extended, allocatable: extended } },
    { subresource: 'status' },
  );
  const { spec: first } = await lease();

  // Each time the Node is gone it is registered anew; here it is only told again.
  await expect.poll(async () => (await lease()).spec.renewTime).not.toBe(first.renewTime);
  const node = await nodes.get('n1');

  expect(node.metadata.labels).toMatchObject({
    'kubernetes.io/hostname': 'n1',
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubevirt.io/schedulable': 'true',
  });
  expect(node.metadata.annotations).toMatchObject({ 'smalt.dev/virt-handler-url': 'https://n1' });
  expect(node.status?.allocatable).toMatchObject({ pods: '500', cpu: expect.any(String), ...extended });
  expect(node.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
});

it('goes on with a Lease that somebody has touched, and makes one that was deleted again', async () => {
  const leases = bed.client.resource(leaseKind);
  const options = { namespace: 'kube-node-lease' };
  const { uid } = (await lease()).metadata;
  await leases.patch(
    'n1',
    'merge',
    { metadata: { labels: { touched: 'yes' } }, spec: { holderIdentity: 'n9' } },
    options,
  );
  await expect.poll(async () => (await lease()).spec.holderIdentity).toBe('n1');
  const touched = await lease();

  await leases.delete('n1', options);
  await expect.poll(async () => (await lease().catch(() => undefined))?.metadata.uid ?? uid).not.toBe(uid);

  expect(touched.metadata.labels).toEqual({ touched: 'yes' });
  expect((await lease()).metadata.ownerReferences).toMatchObject([{ kind: 'Node', name: 'n1' }]);
});

it('registers a node again that somebody has deleted', async () => {
  const nodes = bed.client.resource(nodeKind);
  const { metadata } = await nodes.get('n1');

  await nodes.delete('n1');

  await expect
    .poll(async () => (await nodes.get('n1').catch(() => undefined))?.metadata.uid, { timeout: 5_000 })
    .toBeTruthy();
  expect((await nodes.get('n1')).metadata.uid).not.toBe(metadata.uid);
});

it('ends the launcher and the pod when the guest has ended', async () => {
  await bed.create(launcherPod('guest-ends'));
  const sandbox = await bed.sandboxOf(await bed.until('guest-ends', isRunning));
  const guest = await bed.startGuest(sandbox);
  await untilLogged(sandbox, 'the guest is here');

  guest.kill();
  const pod = await bed.until('guest-ends', hasEnded);

  expect(pod.status).toMatchObject({
    phase: 'Succeeded',
    containerStatuses: [{ ready: false, state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
  });
  expect(conditionsOf(pod)).toMatchObject({ Ready: 'False', ContainersReady: 'False' });
  expect(await bed.cgroups.isPopulated(String(sandbox.guestCgroup))).toBe(false);
});

it('kills the guest of a launcher that was killed, and says so', async () => {
  await bed.create(launcherPod('launcher-dies'));
  const sandbox = await bed.sandboxOf(await bed.until('launcher-dies', isRunning));
  const guest = await bed.startGuest(sandbox);
  const ended = once(guest, 'exit');

  process.kill(launcherOf(sandbox), 'SIGKILL');
  const pod = await bed.until('launcher-dies', hasEnded);

  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(pod.status).toMatchObject({ phase: 'Failed', reason: 'Error' });
  expect(pod.status?.message).toContain('the launcher was killed');
});

it('lets the guest of a deleted pod end by itself, and removes everything then', async () => {
  await bed.create(launcherPod('deleted'));
  const sandbox = await bed.sandboxOf(await bed.until('deleted', isRunning));
  const guest = await bed.startGuest(sandbox);
  await untilLogged(sandbox, 'the guest is here');

  await bed.pods.delete('deleted', { namespace: 'default' });
  await untilLogged(sandbox, 'told to end; waiting for the guest to');
  expect(guest.exitCode ?? guest.signalCode).toBeNull();
  guest.kill();
  await bed.untilGone('deleted');

  expect(await bed.sandboxes.find(sandbox.podUid)).toBeUndefined();
  await expect(access(join(bed.podsDirectory, sandbox.podUid))).rejects.toThrow('ENOENT');
});

it('kills what is left of a pod when its grace period is over', async () => {
  await bed.create(launcherPod('stubborn'));
  const sandbox = await bed.sandboxOf(await bed.until('stubborn', isRunning));
  const guest = await bed.startGuest(sandbox);
  const ended = once(guest, 'exit');
  await untilLogged(sandbox, 'the guest is here');
  const startedAt = performance.now();

  await bed.pods.delete('stubborn', { namespace: 'default', gracePeriodSeconds: 1 });
  await bed.untilGone('stubborn');

  expect(await ended).toEqual([null, 'SIGKILL']);
  expect(performance.now() - startedAt).toBeGreaterThan(990);
});

it('is not ready while its guest is paused', async () => {
  await bed.create(launcherPod('paused'));
  await bed.until('paused', isRunning);

  const conditions = [{ type: GATE, status: 'False' }];
  const options = { namespace: 'default', subresource: 'status' };
  await bed.pods.patch('paused', 'strategic', { status: { conditions } }, options);
  const pod = await bed.until('paused', (each) => conditionsOf(each)['Ready'] === 'False');

  expect(conditionsOf(pod)).toMatchObject({ ContainersReady: 'True', [GATE]: 'False' });
});

it('refuses pods that are no launchers in one sentence', async () => {
  await bed.create(launcherPod('web', { containers: [{ name: 'nginx', image: 'nginx' }] }));

  const pod = await bed.until('web', hasEnded);

  expect(pod.status).toMatchObject({ phase: 'Failed', reason: 'UnsupportedPod' });
  expect(pod.status?.message).toContain('runs "smalt virt-launcher" alone, not the image nginx');
});

it('tells the last words of a launcher that could not start', async () => {
  const [container] = launcherPod('wrong').spec.containers;
  await bed.create(launcherPod('wrong', { containers: [{ name: 'c', ...container, args: ['--nonsense'] }] }));

  const pod = await bed.until('wrong', hasEnded);

  expect(pod.status).toMatchObject({
    phase: 'Failed',
    containerStatuses: [{ state: { terminated: { exitCode: 1, message: expect.stringContaining('--nonsense') } } }],
  });
});

it('ends the launcher of a pod that was deleted by force', async () => {
  await bed.create(launcherPod('forced'));
  const sandbox = await bed.sandboxOf(await bed.until('forced', isRunning));

  await bed.pods.delete('forced', { namespace: 'default', gracePeriodSeconds: 0 });

  await expect.poll(() => bed.sandboxes.find(sandbox.podUid)).toBeUndefined();
  expect(sandbox.launcher !== undefined && (await isProcessRunning(sandbox.launcher))).toBe(false);
});

it('keeps a pod apart from another one that had its name', async () => {
  await bed.create(launcherPod('again'));
  const before = await bed.sandboxOf(await bed.until('again', isRunning));

  await bed.pods.delete('again', { namespace: 'default', gracePeriodSeconds: 0 });
  await bed.create(launcherPod('again'));
  const after = await bed.sandboxOf(await bed.until('again', isRunning));

  expect(after.podUid).not.toBe(before.podUid);
  expect(before.launcher !== undefined && (await isProcessRunning(before.launcher))).toBe(false);
  expect(after.launcher !== undefined && (await isProcessRunning(after.launcher))).toBe(true);
});

it('refuses to share its directory with another runner', async () => {
  await expect(bed.startRunner({ nodeName: 'n2' })).rejects.toMatchObject({ code: 'directory-in-use' });
});

it.each([
  { options: { nodeName: 'Not A Name' }, says: 'node: "Not A Name" is not the name of a node' },
  { options: { podsDirectory: 'pods' }, says: 'podsDirectory: "pods" must be an absolute path' },
  { options: { cgroupRoot: '/..' }, says: 'cgroupRoot: "/.." must be a path' },
  { options: { smaltCommand: [] }, says: 'smaltCommand: say what is run' },
])('refuses $options in one sentence', async ({ options, says }) => {
  await expect(bed.startRunner(options)).rejects.toThrow(says);
});

function isRunning({ status }: RunnerPod): boolean {
  return status?.phase === 'Running';
}

function hasEnded({ status }: RunnerPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

function conditionsOf({ status }: RunnerPod): Readonly<Record<string, string>> {
  return Object.fromEntries(status?.conditions?.map(({ type, status: value }) => [type, value]) ?? []);
}

function launcherOf({ launcher, name }: PodSandbox): number {
  if (launcher === undefined) throw new Error(`${name} has no launcher`);
  return launcher.processId;
}

async function statusOf(processId: number): Promise<string> {
  return await readFile(`/proc/${processId}/status`, 'utf8');
}

async function untilLogged({ podUid }: PodSandbox, message: string): Promise<void> {
  const read = async (): Promise<string> => await readFile(join(bed.podsDirectory, podUid, 'compute.log'), 'utf8');
  await expect.poll(read, { timeout: 10_000 }).toContain(message);
}

async function statusWrites(): Promise<number> {
  const text = await runner.metrics.scrapeText(AbortSignal.timeout(5_000));
  return Number(/^smalt_pod_runner_status_writes_total (\d+)$/m.exec(text)?.[1] ?? 0);
}

async function lease() {
  return await bed.client.resource(leaseKind).get('n1', { namespace: 'kube-node-lease' });
}
