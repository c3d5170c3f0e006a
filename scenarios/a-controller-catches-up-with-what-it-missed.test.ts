import {
  ChartAccounts,
  installDefinitions,
  openCutConnection,
  startTestApiServer,
  type CutConnection,
  type TestApiServer,
} from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { createLogger } from '@smalt/service-runtime';
import { startVirtController } from '@smalt/virt-controller';
import { readVmDefinitions, virtualMachineInstanceKind, type VirtualMachineInstance } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const NAMESPACE = 'default';
const CREATED_BY = 'kubevirt.io/created-by';
const WAIT_MS = 60_000;
const POLL = { timeout: WAIT_MS };
/** More than our server keeps of the past of all kinds, in pieces that it takes. */
const PIECES = 180;
const PIECE = 'x'.repeat(250_000);

const podKind: KindReference = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', isNamespaced: true };

const owned = new AsyncDisposableStack();
const log: string[] = [];
let server: TestApiServer;
let admin: KubeClient;
let way: CutConnection;

beforeAll(async () => {
  const signal = AbortSignal.timeout(230_000);
  server = owned.use(await startTestApiServer({ isCluster: true, signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  admin = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  await installDefinitions(admin, await readVmDefinitions(), signal);
  way = owned.use(await openCutConnection(server.url));
  const logger = createLogger({ name: 'test', level: 'debug', destination: { write: (line) => log.push(line) } });
  const accounts = new ChartAccounts({ admin, kubeconfig: server.kubeconfig });
  await accounts.install({ files: ['virt-controller'] }, signal);
  const kubeConfig = { ...(await accounts.config({ name: 'smalt-virt-controller' })), server: way.url };
  owned.use(await startVirtController({ kubeConfig, logger }, new AbortController().signal));
}, 240_000);

afterAll(() => owned.disposeAsync());

// One controller lives through all of it in this order.
describe('a controller', { timeout: 180_000 }, () => {
  it('sees what happens while it is connected', async () => {
    const { metadata } = await create('before');

    await expect.poll(() => podsOf(metadata.uid), POLL).toHaveLength(1);
  });

  it('lists anew when the server no longer knows what it missed, and does what there was to do', async () => {
    const { metadata } = await admin.resource(virtualMachineInstanceKind).list();
    const seenLast = metadata.resourceVersion;

    way.cut();
    const missed = await create('missed');
    await forgetThePast();
    await expect(watchFrom(seenLast)).rejects.toMatchObject({ code: 'expired' });
    expect(await podsOf(missed.metadata.uid)).toEqual([]);
    way.mend();
    await expect.poll(() => podsOf(missed.metadata.uid), POLL).toHaveLength(1);

    expect(log.filter((line) => line.includes('"level":"fatal"'))).toEqual([]);
  });

  it('goes on when the server is killed and comes back', async () => {
    await server.kill();
    await server.restart(AbortSignal.timeout(WAIT_MS));

    const { metadata } = await create('after');

    await expect.poll(() => podsOf(metadata.uid), POLL).toHaveLength(1);
  });
});

/** Makes the server forget what happened to instances so far: etcd when it is told to, ours when too much has come since. */
async function forgetThePast(): Promise<void> {
  if (server.compact === undefined) return await writeMuch();
  await server.compact(AbortSignal.timeout(WAIT_MS));
  // It remembers the last changes by itself, but not longer than it lives.
  await server.kill();
  await server.restart(AbortSignal.timeout(WAIT_MS));
}

async function writeMuch(): Promise<void> {
  const instances = admin.resource(virtualMachineInstanceKind);
  for (let piece = 0; piece < PIECES; piece++) {
    const annotations = { filling: `${piece} ${PIECE}` };
    await instances.patch('before', 'merge', { metadata: { annotations } }, { namespace: NAMESPACE });
  }
}

async function watchFrom(resourceVersion: string | undefined): Promise<void> {
  const signal = AbortSignal.timeout(WAIT_MS);
  const events = admin.resource(virtualMachineInstanceKind).watch({ resourceVersion, timeoutSeconds: 5, signal });
  for await (const _ of events);
}

async function create(name: string): Promise<VirtualMachineInstance> {
  const spec = { hypervisor: 'test', domain: { devices: {}, memory: { guest: '64Mi' } } };
  return await admin.resource(virtualMachineInstanceKind).create({ metadata: { name, namespace: NAMESPACE }, spec });
}

async function podsOf(uid: string | undefined): Promise<readonly KubernetesObject[]> {
  const { items } = await admin.resource(podKind).list({ namespace: NAMESPACE });
  return items.filter(({ metadata }) => metadata.labels?.[CREATED_BY] === uid);
}
