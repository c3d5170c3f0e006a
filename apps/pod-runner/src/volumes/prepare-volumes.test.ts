import { access, mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { isOnKubernetes, untilObject } from '@smalt/bed-kubernetes';
import { leaseKind } from '@smalt/controller-runtime';
import { isNotFound } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import type { SandboxVolume } from '@smalt/pod-sandbox';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { runnerAccount } from '../fixtures/runner-account.ts';
import { launcherPod, startRunnerBed, type RunnerBed } from '../fixtures/runner-bed.ts';
import { nodeKind } from '../node/node-object.ts';
import type { RunnerPod, RunnerVolume } from '../pods/pod.ts';
import {
  claimKind,
  configMapKind,
  secretKind,
  storageClassKind,
  volumeKind,
  type PersistentVolumeClaim,
} from './volume-kinds.ts';

const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

let bed: RunnerBed;

beforeAll(async () => {
  bed = await startRunnerBed();
  // Pods are only recorded: volumes are the same with and without processes. All of it with the rights of deploy/helm/smalt/files/rbac.
  await bed.startRunner({ runsProcesses: false, kubeConfig: await runnerAccount(bed.client) });
});

afterAll(async () => {
  await bed[Symbol.asyncDispose]();
});

it('records pods without processes, with their volumes', async () => {
  const pod = await runPod('bare', [{ name: 'private', emptyDir: {} }]);

  const sandbox = await bed.sandboxOf(pod);

  expect(sandbox).toMatchObject({ launcher: undefined, guestCgroup: undefined, name: 'bare', namespace: 'default' });
  expect(await modeOf(sandbox.volumes['private'])).toBe('750');
});

it('removes recorded pods at once when they are deleted', async () => {
  const { metadata } = await runPod('recorded', []);

  await bed.pods.delete('recorded', { namespace: 'default' });
  await bed.untilGone('recorded');

  expect(await bed.sandboxes.find(metadata.uid ?? '')).toBeUndefined();
});

it('writes config maps and secrets as files, secrets for root alone', async () => {
  const data = { 'user-data': '#cloud-config', other: 'x' };
  await bed.client.resource(configMapKind).create({ metadata: { name: 'settings', namespace: 'default' }, data });
  const password = Buffer.from('hunter2').toString('base64');
  await bed.client
    .resource(secretKind)
    .create({ metadata: { name: 'login', namespace: 'default' }, data: { password } });

  const pod = await runPod('configured', [
    { name: 'all', configMap: { name: 'settings' } },
    { name: 'some', configMap: { name: 'settings', items: [{ key: 'other', path: 'deep/other' }] } },
    { name: 'login', secret: { secretName: 'login' } },
    { name: 'missing', secret: { secretName: 'no-such', optional: true } },
    { name: 'about', downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
  ]);
  const { volumes } = await bed.sandboxOf(pod);
  const read = async (volume: string, file: string) => await readFile(join(volumes[volume]?.path ?? '', file), 'utf8');

  expect(await read('all', 'user-data')).toBe('#cloud-config');
  expect(await read('some', 'deep/other')).toBe('x');
  expect(await read('login', 'password')).toBe('hunter2');
  expect(await read('about', 'name')).toBe('configured');
  expect((await stat(join(volumes['login']?.path ?? '', 'password'))).mode & 0o777).toBe(0o600);
  expect(await modeOf(volumes['login'])).toBe('700');
});

it('waits for an image and says so, and starts when it comes', async () => {
  await bed.create(launcherPod('no-image', { volumes: [{ name: 'root', image: { reference: 'demo:1' } }] }));
  const waiting = await bed.until('no-image', (pod) => reasonOf(pod) !== undefined);
  const file = join(bed.directory, 'disk.raw');
  await writeFile(file, Buffer.alloc(1024 * 1024));

  await bed.images.importFile(file, 'demo:1');
  const pod = await bed.until('no-image', isRunning);
  const { volumes } = await bed.sandboxOf(pod);

  expect(waiting.status).toMatchObject({ phase: 'Pending', containerStatuses: [{ ready: false }] });
  expect(reasonOf(waiting)).toMatch(/^(ErrImagePull|ImagePullBackOff)$/);
  expect(waiting.status?.containerStatuses?.[0]?.state?.waiting?.message).toContain('demo:1');
  await access(join(volumes['root']?.path ?? '', 'disk/disk.img'));
});

it('waits for a config map that is missing', async () => {
  await bed.create(launcherPod('early', { volumes: [{ name: 'late', configMap: { name: 'late' } }] }));
  const waiting = await bed.until('early', (pod) => reasonOf(pod) !== undefined);

  await bed.client
    .resource(configMapKind)
    .create({ metadata: { name: 'late', namespace: 'default' }, data: { a: 'b' } });
  await bed.until('early', isRunning);

  expect(waiting.status?.containerStatuses?.[0]?.state?.waiting).toEqual({
    reason: 'ContainerCreating',
    message: 'the ConfigMap default/late is missing; create it',
  });
});

it('refuses kinds of volumes that it does not have', async () => {
  await bed.create(launcherPod('exotic', { volumes: [{ name: 'net', nfs: { server: 'a', path: '/b' } }] }));

  const pod = await bed.until('exotic', ({ status }) => status?.phase === 'Failed');

  expect(pod.status?.message).toBe('spec.volumes[net].nfs: is a kind of volume that this node does not have');
});

it('passes a directory of the node over that no container mounts, and refuses one that is mounted', async () => {
  const volumes = [{ name: 'data', hostPath: { path: '/etc' } }];
  const plain = launcherPod('mounting', { volumes });
  const containers = plain.spec.containers.map((each) => ({
    ...each,
    volumeMounts: [{ name: 'data', mountPath: '/data' }],
  }));

  const shown = await runPod('showing', volumes);
  await bed.create({ ...plain, spec: { ...plain.spec, containers } });
  const refused = await bed.until('mounting', ({ status }) => status?.phase === 'Failed');

  expect((await bed.sandboxOf(shown)).volumes).toEqual({});
  expect(refused.status?.message).toContain('spec.volumes[data].hostPath: is never given to launchers');
});

// Kubernetes keeps a volume until its binder says that it is free, which a bed without nodes has not.
it.skipIf(isOnKubernetes())(
  'makes the volume of a claim where the first pod that wants it goes, and removes it with the claim',
  async () => {
    const claims = bed.client.resource(claimKind);
    await claims.create(claim('data'));
    const first = await runPod('claims', [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]);
    const path = (await bed.sandboxOf(first)).volumes['data']?.path ?? '';
    await writeFile(join(path, 'disk.img'), 'contents');
    const bound = await claims.get('data', { namespace: 'default' });
    const second = await runPod('claims-too', [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }]);
    const volume = await bed.client.resource(volumeKind).get(bound.spec.volumeName ?? '');

    expect(bound).toMatchObject({ spec: { storageClassName: 'smalt-local' }, status: { phase: 'Bound' } });
    expect(volume).toMatchObject({
      spec: { hostPath: { path }, claimRef: { name: 'data' } },
      status: { phase: 'Bound' },
    });
    expect((await bed.sandboxOf(second)).volumes['data']).toEqual({ kind: 'directory', path });

    await claims.delete('data', { namespace: 'default' });
    await bed.pods.delete('claims', { namespace: 'default' });
    await bed.untilGone('claims');
    expect(await readFile(join(path, 'disk.img'), 'utf8')).toBe('contents');
    await bed.pods.delete('claims-too', { namespace: 'default' });
    await bed.untilGone('claims-too');

    await expect.poll(() => isVolumeGone(bound), { timeout: 10_000 }).toBe(true);
    await expect(access(path)).rejects.toThrow('ENOENT');
  },
);

it('waits for a volume of a claim whose directory is not there any more, and makes no empty one', async () => {
  await bed.client.resource(claimKind).create(claim('unmounted'));
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'unmounted' } }];
  const path = (await bed.sandboxOf(await runPod('mounted', volumes))).volumes['data']?.path ?? '';
  await rename(path, `${path}.away`);

  await bed.create(launcherPod('unmounted', { volumes }));
  const message = await untilWaiting('unmounted', 'default');
  const madeAgain = stat(path);

  await expect(madeAgain).rejects.toThrow('ENOENT');
  expect(message).toMatch(
    /^the volume pvc-\S+ of the claim default\/unmounted is not at \S+; is its filesystem mounted\?$/,
  );
  await rename(`${path}.away`, path);
  const pod = await bed.until('unmounted', isRunning);
  expect((await bed.sandboxOf(pod)).volumes['data']).toEqual({ kind: 'directory', path });
});

it('uses volumes that others have made, and says where they should be when they are not', async () => {
  const path = join(bed.directory, 'made-by-hand');
  const { metadata } = await createClaimOf('by-hand', 'default');
  await createVolume('by-hand', path, { namespace: 'default', name: 'by-hand', uid: metadata.uid ?? '' });
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'by-hand' } }];
  await bed.create(launcherPod('by-hand', { volumes }));
  const waiting = await bed.until('by-hand', (pod) => reasonOf(pod) !== undefined);

  await mkdir(path);
  const pod = await bed.until('by-hand', isRunning);

  expect(waiting.status?.containerStatuses?.[0]?.state?.waiting?.message).toContain(`is no directory at ${path}`);
  expect((await bed.sandboxOf(pod)).volumes['data']).toEqual({ kind: 'directory', path });
});

it('gives a volume to the claim that it was given to, and to no other that names it', async () => {
  const path = join(bed.directory, 'of-the-bank');
  await mkdir(path);
  await bed.client.resource(namespaceKind).create({ metadata: { name: 'evil' } });
  const owner = await createClaimOf('of-the-bank', 'default');
  await createVolume('of-the-bank', path, { namespace: 'default', name: 'of-the-bank', uid: owner.metadata.uid ?? '' });
  const thief = await createClaimOf('of-the-bank', 'evil');
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'of-the-bank' } }];
  const asked = launcherPod('thief', { volumes });

  await bed.pods.create({ ...asked, metadata: { ...asked.metadata, namespace: 'evil' } });
  const refused = await untilWaiting('thief', 'evil');
  const served = await runPod('owner', volumes);

  expect(refused).toBe(
    'the claim evil/of-the-bank is not bound to the volume of-the-bank that it names; whoever manages volumes has to set ' +
      `its spec.claimRef to namespace evil, name of-the-bank, uid ${thief.metadata.uid ?? ''}`,
  );
  expect((await bed.sandboxOf(served)).volumes['data']).toEqual({ kind: 'directory', path });
});

it('leaves a claim alone whose volume another node has begun to make', async () => {
  const { metadata } = await bed.client.resource(claimKind).create(claim('begun'));
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/elsewhere' } };
  const begun = { name: `pvc-${metadata.uid ?? ''}`, labels: { 'smalt.dev/volume-node': 'n2' } };
  await bed.client.resource(volumeKind).create({ metadata: begun, spec });

  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'begun' } }];
  await bed.create(launcherPod('begun', { volumes }));
  const waiting = await bed.until('begun', (pod) => reasonOf(pod) !== undefined);
  const found = await bed.client.resource(claimKind).get('begun', { namespace: 'default' });

  expect(waiting.status?.containerStatuses?.[0]?.state?.waiting?.message).toBe(
    'the claim default/begun lies on the node n2; the pod has to go there',
  );
  expect(found.spec.volumeName).toBeUndefined();
  await expect(access(join(bed.directory, 'volumes', metadata.uid ?? ''))).rejects.toThrow('ENOENT');
});

it('registers the node and renews its Lease with no more rights than it needs', async () => {
  const node = await bed.client.resource(nodeKind).get('n1');
  const lease = await bed.client.resource(leaseKind).get('n1', { namespace: 'kube-node-lease' });

  expect(node.status?.conditions).toContainEqual(expect.objectContaining({ type: 'Ready', status: 'True' }));
  expect(lease.metadata.ownerReferences).toMatchObject([{ kind: 'Node', uid: node.metadata.uid }]);
});

it('offers its class as the default one', async () => {
  const found = await bed.client.resource(storageClassKind).get('smalt-local');

  expect(found).toMatchObject({ provisioner: 'smalt.dev/local', volumeBindingMode: 'WaitForFirstConsumer' });
  expect(found.metadata.annotations).toEqual({ 'storageclass.kubernetes.io/is-default-class': 'true' });
});

async function runPod(name: string, volumes: readonly RunnerVolume[]): Promise<RunnerPod> {
  await bed.create(launcherPod(name, { volumes }));
  return await bed.until(name, isRunning);
}

async function untilWaiting(name: string, namespace: string): Promise<string | undefined> {
  const { status } = await untilObject({ objects: bed.pods, namespace, name, isWanted: isDecided, timeoutMs: 15_000 });
  return status?.containerStatuses?.[0]?.state?.waiting?.message;
}

/** A claim that names a volume of its own name. */
async function createClaimOf(volumeName: string, namespace: string): Promise<PersistentVolumeClaim> {
  const { spec } = claim(volumeName);
  const metadata = { name: volumeName, namespace };
  return await bed.client.resource(claimKind).create({ metadata, spec: { ...spec, volumeName } });
}

async function createVolume(name: string, path: string, claimRef: Readonly<Record<string, string>>): Promise<void> {
  const spec = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path }, claimRef };
  await bed.client.resource(volumeKind).create({ metadata: { name }, spec });
}

function isDecided(pod: RunnerPod): boolean {
  return reasonOf(pod) !== undefined || isRunning(pod);
}

function isRunning({ status }: RunnerPod): boolean {
  return status?.phase === 'Running';
}

function reasonOf({ status }: RunnerPod): string | undefined {
  return status?.containerStatuses?.[0]?.state?.waiting?.reason;
}

async function modeOf(volume: SandboxVolume | undefined): Promise<string> {
  return ((await stat(volume?.path ?? '')).mode & 0o777).toString(8);
}

async function isVolumeGone({ spec }: PersistentVolumeClaim): Promise<boolean> {
  return await bed.client
    .resource(volumeKind)
    .get(spec.volumeName ?? '')
    .then(
      () => false,
      (error: unknown) => isNotFound(error),
    );
}

function claim(name: string) {
  return {
    metadata: { name, namespace: 'default' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  };
}
