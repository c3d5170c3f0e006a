import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { installDefinitions, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { SimulatorProcess } from '@smalt/bed-openstack-simulator';
import { hypervisorKind, readFleetDefinitions, type Hypervisor } from '@smalt/fleet-api';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { OperatorProcess } from './operator-process.ts';

const run = promisify(execFile);
const AT_ONCE = 16;
/** On two processors, which the servers, the cloud and the operator share. */
const WAIT_MS = 1_200_000;
const ZONE = 'zone-1';

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

/** What the story is told with: a server, and an operator whose hosts are those of a simulated cloud. */
interface Fleet {
  readonly names: readonly string[];
  readonly server: TestApiServer;
  readonly admin: KubeClient;
  readonly operator: OperatorProcess;
}

/** Tells the story of so many hypervisors. */
export function tellOfHypervisors(count: number): void {
  const names = Array.from({ length: count }, (_, index) => `node${String(index + 1).padStart(5, '0')}`);
  const owned = new AsyncDisposableStack();
  let fleet: Fleet;
  const inFleet = (tell: (told: Fleet) => Promise<void>) => () => tell(fleet);
  beforeAll(async () => void (fleet = await startFleet(names, owned)), 180_000);
  afterAll(() => owned.disposeAsync(), 120_000);

  // One fleet lives through all of it in this order.
  describe(`${count} hypervisors`, { timeout: WAIT_MS + 60_000, retry: 0 }, () => {
    it('are all taken into use', inFleet(areTakenIntoUse));
    it('are listed by kubectl', inFleet(areListed));
    it('are known to an operator that was killed, which writes to none of them anew', inFleet(areKnown));
  });
}

async function startFleet(names: readonly string[], owned: AsyncDisposableStack): Promise<Fleet> {
  const signal = AbortSignal.timeout(110_000);
  // Nodes without kubelets: a controller that misses their heartbeats would only make work.
  const server = owned.use(await startTestApiServer({ signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  const admin = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  await installDefinitions(admin, await readFleetDefinitions(), signal);
  const cloud = owned.use(await SimulatorProcess.start({ latencyMs: 1 }));
  await cloud.tell('POST', '/aggregates', [{ name: ZONE, zone: ZONE }, { name: 'tenant_filter_tests' }]);
  const hosts = names.map((name) => ({ name, status: 'disabled' }));
  await cloud.tell('POST', '/hosts', hosts);
  const environment = cloud.environment;
  const operator = owned.use(await OperatorProcess.start({ cloud: environment, admin, server, config: CONFIG }));
  return { names, server, admin, operator };
}

async function areTakenIntoUse(fleet: Fleet): Promise<void> {
  const { names, admin } = fleet;
  await eachOf(names, (name) => appear(admin, name));

  await untilAll(fleet, isOnboarded);

  expect((await hypervisors(admin)).length).toBe(names.length);
}

async function areListed({ names, server }: Fleet): Promise<void> {
  const words = [`--kubeconfig=${server.kubeconfig}`, 'get', 'hypervisors', '-o', 'name'];

  const { stdout } = await run('kubectl', words, { maxBuffer: 64 * 1024 * 1024 });

  expect(stdout.trim().split('\n')).toHaveLength(names.length);
}

async function areKnown(fleet: Fleet): Promise<void> {
  const { names, admin, operator } = fleet;
  const [first = '', middle = ''] = [names[0], names[names.length / 2]];
  const before = await settledVersions(fleet);
  await operator.kill();

  await operator.restart();
  await admin.resource(nodeKind).patch(first, 'merge', { metadata: { labels: { moved: 'yes' } } });
  const spec = { maintenance: 'manual', maintenanceReason: 'a test' };
  await admin.resource(hypervisorKind).patch(middle, 'merge', { spec });
  await expect.poll(() => isEvicted(admin, middle), { timeout: WAIT_MS, interval: 1_000 }).toBe(true);

  const after = await versions(admin);
  const changed = names.filter((name) => before.get(name) !== after.get(name));
  expect(changed.filter((name) => name !== first)).toEqual([middle]);
}

async function appear(admin: KubeClient, name: string): Promise<void> {
  const labels = {
    'kubernetes.io/hostname': name,
    'topology.kubernetes.io/zone': ZONE,
    'nova.openstack.cloud.sap/virt-driver': 'kvm',
    'cobaltcore.cloud.sap/node-hypervisor-lifecycle': 'skip-tests',
  };
  await admin.resource(nodeKind).create({ metadata: { name, labels } });
}

async function hypervisors(admin: KubeClient): Promise<readonly Hypervisor[]> {
  const found: Hypervisor[] = [];
  for await (const page of admin.resource(hypervisorKind).pages()) found.push(...page.items);
  return found;
}

async function untilAll({ names, admin }: Fleet, isWanted: (hypervisor: Hypervisor) => boolean): Promise<void> {
  const count = async (): Promise<number> => (await hypervisors(admin)).filter(isWanted).length;
  await expect.poll(count, { timeout: WAIT_MS, interval: 5_000 }).toBe(names.length);
}

async function versions(admin: KubeClient): Promise<ReadonlyMap<string, string | undefined>> {
  return new Map((await hypervisors(admin)).map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
}

/** What is there once the operator has written the last of what follows the onboarding. */
async function settledVersions({ names, admin }: Fleet): Promise<ReadonlyMap<string, string | undefined>> {
  let last = await versions(admin);
  const hasSettled = async (): Promise<boolean> => {
    const [earlier, now] = [last, await versions(admin)];
    last = now;
    return names.every((name) => earlier.get(name) === now.get(name));
  };
  await expect.poll(hasSettled, { timeout: WAIT_MS, interval: 5_000 }).toBe(true);
  return last;
}

async function isEvicted(admin: KubeClient, name: string): Promise<boolean> {
  return (await admin.resource(hypervisorKind).get(name)).status?.evicted === true;
}

function isOnboarded({ status }: Hypervisor): boolean {
  const condition = status?.conditions?.find(({ type }) => type === 'Onboarding');
  return condition?.status === 'False' && condition.reason === 'Succeeded';
}

async function eachOf(names: readonly string[], act: (name: string) => Promise<void>): Promise<void> {
  const left = names.values();
  const work = async (): Promise<void> => {
    for (const name of left) await act(name);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

const CONFIG = {
  agentNamespaces: ['nova'],
  hypervisor: { newHypervisor: { highAvailability: false } },
};
