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
import { leaseKind } from '@smalt/controller-runtime';
import { isNotFound, KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { readVmDefinitions, virtualMachineInstanceKind } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const REPOSITORY = resolve(import.meta.dirname, '..');
const NODE = join(REPOSITORY, 'node_modules/.bin/node');
const MAIN = join(REPOSITORY, 'apps/smalt/src/main.ts');
const NAMESPACE = 'default';
const LEASES = 'smalt-system';
const CREATED_BY = 'kubevirt.io/created-by';
/** A lease of fifteen seconds has to run out, on a machine that is busy with other things. */
const POLL = { timeout: 60_000, interval: 200 };

const podKind: KindReference = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', isNamespaced: true };

const owned = new AsyncDisposableStack();
let server: TestApiServer;
let admin: KubeClient;
let directory: string;
/** How controllers reach the API. */
let kubeconfig: string;
/** By the names that they go by in the Lease. */
const controllers = new Map<string, ServerProcess>();

beforeAll(async () => {
  const signal = AbortSignal.timeout(230_000);
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-failover-'))).path;
  server = owned.use(await startTestApiServer({ isCluster: true, signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  admin = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  await installDefinitions(admin, await readVmDefinitions(), signal);
  const accounts = new ChartAccounts({ admin, kubeconfig: server.kubeconfig });
  await accounts.install({ files: ['virt-controller'] }, signal);
  kubeconfig = await accounts.kubeconfig({ name: 'smalt-virt-controller' }, directory);
}, 240_000);

afterAll(() => owned.disposeAsync());

// Two controllers live through all of it in this order.
describe('of two controllers', { timeout: 150_000 }, () => {
  it('one leads, and does the work of both once', async () => {
    start('one');
    await expect.poll(leader, POLL).toBeDefined();
    start('two');

    const uid = await create('first');
    await expect.poll(() => podsOf(uid), POLL).toHaveLength(1);

    expect(await transitions()).toBe(0);
  });

  it('the other takes over when the leader is killed, and finds what was there', async () => {
    const before = await leader();
    await controllers.get('one')?.kill();
    const uid = await create('second');

    await expect.poll(leader, POLL).not.toBe(before);
    await expect.poll(() => podsOf(uid), POLL).toHaveLength(1);

    expect(await transitions()).toBe(1);
    expect(await pods()).toHaveLength(2);
  });

  it('one that comes back waits, as long as the leader is there', async () => {
    const before = await leader();
    start('one');
    const uid = await create('third');

    await expect.poll(() => podsOf(uid), POLL).toHaveLength(1);

    expect([await leader(), await transitions()]).toEqual([before, 1]);
  });

  it('one takes over at once from a leader that was told to stop', async () => {
    const before = await leader();
    await controllers.get('two')?.[Symbol.asyncDispose]();
    const uid = await create('fourth');

    await expect.poll(() => podsOf(uid), POLL).toHaveLength(1);

    expect(await leader()).not.toBe(before);
    expect(await pods()).toHaveLength(4);
  });
});

function start(name: string): void {
  const words = ['virt-controller', `--kubeconfig=${kubeconfig}`, '--leader-elect', '--listen='];
  const place = [`--lease-namespace=${LEASES}`];
  // It must not outlive a test that is killed.
  const command = ['setpriv', '--pdeathsig=KILL', '--', NODE, MAIN, ...words, ...place];
  controllers.set(name, owned.use(ServerProcess.start(name, command, join(directory, `${name}.log`))));
}

async function leader(): Promise<string | undefined> {
  return (await lease())?.spec.holderIdentity;
}

async function transitions(): Promise<number> {
  return (await lease())?.spec.leaseTransitions ?? 0;
}

async function lease() {
  try {
    return await admin.resource(leaseKind).get('virt-controller', { namespace: LEASES });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

async function create(name: string): Promise<string | undefined> {
  const spec = { hypervisor: 'test', domain: { devices: {}, memory: { guest: '64Mi' } } };
  const instances = admin.resource(virtualMachineInstanceKind);
  return (await instances.create({ metadata: { name, namespace: NAMESPACE }, spec })).metadata.uid;
}

async function pods(): Promise<readonly KubernetesObject[]> {
  return (await admin.resource(podKind).list({ namespace: NAMESPACE })).items;
}

async function podsOf(uid: string | undefined): Promise<readonly KubernetesObject[]> {
  return (await pods()).filter(({ metadata }) => metadata.labels?.[CREATED_BY] === uid);
}
