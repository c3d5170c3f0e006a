import { randomUUID } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import {
  ChartAccounts,
  installDefinitions,
  ServerProcess,
  startTestApiServer,
  type TestApiServer,
} from '@smalt/bed-kubernetes';
import { isNotFound, KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { readVmDefinitions, virtualMachineInstanceKind, virtualMachineKind } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const REPOSITORY = resolve(import.meta.dirname, '..');
const NODE = join(REPOSITORY, 'node_modules/.bin/node');
const MAIN = join(REPOSITORY, 'apps/smalt/src/main.ts');
const NAMESPACE = 'default';
const HELD = 'example.com/held';
/** The collector of Kubernetes looks for new kinds twice a minute. */
const POLL = { timeout: 100_000, interval: 200 };

const podKind = namespaced('', 'Pod', 'pods');
const configMapKind = namespaced('', 'ConfigMap', 'configmaps');
const revisionKind = namespaced('apps', 'ControllerRevision', 'controllerrevisions');
const KINDS: readonly KindReference[] = [
  virtualMachineKind,
  virtualMachineInstanceKind,
  podKind,
  revisionKind,
  configMapKind,
];

const owned = new AsyncDisposableStack();
let admin: KubeClient;
let controller: ServerProcess;
/** Of each machine by its name. */
const uids = new Map<string, string | undefined>();

beforeAll(async () => {
  const signal = AbortSignal.timeout(230_000);
  const directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-owners-'))).path;
  const server: TestApiServer = owned.use(await startTestApiServer({ isCluster: true, signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  admin = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  await installDefinitions(admin, await readVmDefinitions(), signal);
  const accounts = new ChartAccounts({ admin, kubeconfig: server.kubeconfig });
  await accounts.install({ files: ['virt-controller'] }, signal);
  const kubeconfig = await accounts.kubeconfig({ name: 'smalt-virt-controller' }, directory);
  // It must not outlive a test that is killed.
  const command = ['setpriv', '--pdeathsig=KILL', '--', NODE, MAIN, 'virt-controller', '--listen='];
  const log = join(directory, 'controller.log');
  controller = owned.use(ServerProcess.start('controller', [...command, `--kubeconfig=${kubeconfig}`], log));
}, 240_000);

afterAll(() => owned.disposeAsync());

// No node is there, so no guest ever runs: whatever goes here is collected by the API alone, or by the controller.
describe('what belongs to a machine', { timeout: 150_000 }, () => {
  it('goes with it, whoever made it', async () => {
    await startMachine('gone');
    await give('gone');

    await admin.resource(virtualMachineKind).delete('gone', { namespace: NAMESPACE });

    await expect.poll(() => kindsOf('gone'), POLL).toEqual([]);
  });

  it('stays when it is orphaned, and has no owner then', async () => {
    await untilInstancesAreCollected();
    const uid = await startMachine('left');
    await give('left');

    await admin.resource(virtualMachineKind).delete('left', { namespace: NAMESPACE, propagationPolicy: 'Orphan' });
    await expect.poll(() => find(virtualMachineKind, 'left'), POLL).toBeUndefined();

    const [instance, given] = [await find(virtualMachineInstanceKind, 'left'), await find(configMapKind, 'left')];
    expect([instance?.metadata.uid, instance?.metadata.deletionTimestamp]).toEqual([uid, undefined]);
    expect([instance, given].flatMap((each) => each?.metadata.ownerReferences ?? [])).toEqual([]);
  });

  it('holds a machine that is deleted in the foreground, until nothing of it is left', async () => {
    await startMachine('held');
    await give('held', [HELD]);

    await admin.resource(virtualMachineKind).delete('held', { namespace: NAMESPACE, propagationPolicy: 'Foreground' });
    await expect.poll(() => kindsOf('held'), POLL).toEqual(['VirtualMachine', 'ConfigMap']);
    await admin
      .resource(configMapKind)
      .patch('held', 'merge', { metadata: { finalizers: null } }, { namespace: NAMESPACE });

    await expect.poll(() => kindsOf('held'), POLL).toEqual([]);
  });

  it('goes without any controller of ours, too', async () => {
    await startMachine('alone');
    await controller[Symbol.asyncDispose]();

    const kinds: readonly KindReference[] = [virtualMachineKind, virtualMachineInstanceKind];
    for (const kind of kinds)
      await admin.resource(kind).patch('alone', 'merge', { metadata: { finalizers: null } }, { namespace: NAMESPACE });
    await admin.resource(virtualMachineKind).delete('alone', { namespace: NAMESPACE });

    await expect.poll(() => kindsOf('alone'), POLL).toEqual([]);
  });
});

/** Resolves with the uid of its instance, once its pod is there. */
async function startMachine(name: string): Promise<string | undefined> {
  const spec = { hypervisor: 'test', domain: { devices: {}, memory: { guest: '64Mi' } } };
  const template = { metadata: { labels: { machine: name } }, spec };
  const machines = admin.resource(virtualMachineKind);
  const metadata = { name, namespace: NAMESPACE };
  const made = await machines.create({ metadata, spec: { runStrategy: 'Always', template } });
  uids.set(name, made.metadata.uid);
  await expect
    .poll(() => kindsOf(name), POLL)
    .toEqual(['VirtualMachine', 'VirtualMachineInstance', 'Pod', 'ControllerRevision']);
  return (await find(virtualMachineInstanceKind, name))?.metadata.uid;
}

/**
 * A collector that does not watch instances yet would not orphan them. Once it does, it deletes one whose owner nobody has; this has
 * no pod, by which it would be known earlier.
 */
async function untilInstancesAreCollected(): Promise<void> {
  const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name: 'nobody', uid: randomUUID() };
  const metadata = { name: 'stray', namespace: NAMESPACE, ownerReferences: [owner] };
  const spec = { hypervisor: 'of-nobody', domain: { devices: {} } };
  await admin.resource(virtualMachineInstanceKind).create({ metadata, spec });
  await expect.poll(() => find(virtualMachineInstanceKind, 'stray'), POLL).toBeUndefined();
}

/** Makes an object of a person's own that belongs to a machine. */
async function give(name: string, finalizers: readonly string[] = []): Promise<void> {
  const uid = uids.get(name) ?? '';
  const owner = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachine', name, uid, blockOwnerDeletion: true };
  const metadata = { name, namespace: NAMESPACE, finalizers, ownerReferences: [owner] };
  await admin.resource(configMapKind).create({ metadata });
}

async function kindsOf(name: string): Promise<readonly string[]> {
  const found = await Promise.all(KINDS.map(async (kind) => ((await isThere(kind, name)) ? [kind.kind] : [])));
  return found.flat();
}

/** Pods are called after their machine, revisions after its uid, each with more around it. */
async function isThere(kind: KindReference, name: string): Promise<boolean> {
  if (kind !== podKind && kind !== revisionKind) return (await find(kind, name)) !== undefined;
  const { items } = await admin.resource(kind).list({ namespace: NAMESPACE });
  const part = kind === podKind ? name : uids.get(name);
  return items.some(({ metadata }) => metadata.name.includes(`-${part}-`));
}

async function find(kind: KindReference, name: string): Promise<KubernetesObject | undefined> {
  try {
    return await admin.resource(kind).get(name, { namespace: NAMESPACE });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function namespaced(group: string, kind: string, plural: string): KindReference {
  return { group, version: 'v1', kind, plural, isNamespaced: true };
}
