import { randomUUID } from 'node:crypto';

import { ChartAccounts, installDefinitions, startTestApiServer } from '@smalt/bed-kubernetes';
import type { PowerController } from '@smalt/bmc';
import { follow, KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import { ManualClock } from '../engine/fixtures/manual-clock.ts';
import { Moment } from '../engine/timing/moment.ts';
import { punctualSignal } from '../engine/timing/punctual-signal.ts';
import { createIronCoreController } from './ironcore-controller.ts';
import { maintenanceKind, serverKind, type Server, type ServerMaintenance } from './ironcore-kinds.ts';
import type { IronCoreLevel } from './power-settings.ts';

const UUID = '38947555-7742-3448-3784-823347823834';
const signal = AbortSignal.timeout(60_000);
const owned = new AsyncDisposableStack();
let kube: KubeClient;
/** The service, with its own account and the role that the chart binds to it for this. */
let service: KubeClient;

beforeAll(async () => {
  const server = owned.use(await startTestApiServer({ signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  kube = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  await installDefinitions(kube, [definitionOf(serverKind), definitionOf(maintenanceKind)], signal);
  const namespaces = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', isNamespaced: false };
  await kube.resource(namespaces).create({ metadata: { name: 'metal' } });
  service = owned.use(await openService(server.kubeconfig));
});

afterAll(() => owned.disposeAsync());

describe('a server of IronCore', () => {
  it('is switched off by a maintenance of its own, and is off when the operator says so', async () => {
    await addServer('n1', { powerState: 'On', state: 'Reserved' });
    await using operator = startOperator();
    const controller = controllerOf(level('n1'));

    await expect(controller.readPower(signal)).resolves.toMatchObject({ state: 'on' });
    await controller.powerOff(signal);
    await expect.poll(async () => (await controller.readPower(signal)).state, { timeout: 10_000 }).toBe('off');

    const [made] = await maintenancesOf('n1');
    expect(made?.spec).toEqual({ policy: 'Enforced', serverRef: { name: 'n1' }, serverPower: 'Off' });
    expect(made?.metadata.labels).toEqual({
      'app.kubernetes.io/managed-by': 'smalt-ha-service',
      'smalt.dev/ha-server': 'n1',
    });
    expect(operator.seen).toEqual([made?.metadata.name]);
  });

  it('has one maintenance, a new one for each order', async () => {
    await addServer('n2', { powerState: 'On', state: 'Reserved' });
    const controller = controllerOf(level('n2'));

    await controller.powerOff(signal);
    const [first] = await maintenancesOf('n2');
    await controller.powerOff(signal);

    const [second, ...others] = await maintenancesOf('n2');
    expect(others).toEqual([]);
    expect(second?.metadata.name).not.toBe(first?.metadata.name);
  });

  it('is not off by what an earlier order left behind, while nobody takes the new one up', async () => {
    await addServer('n7', { powerState: 'On', state: 'Reserved' });
    const controller = controllerOf(level('n7'));
    await during(startOperator(), async () => {
      await controller.powerOff(signal);
      await expect.poll(async () => (await controller.readPower(signal)).state, { timeout: 10_000 }).toBe('off');
    });

    await controller.powerOff(signal);

    await expect(controller.readPower(signal)).resolves.toMatchObject({ state: 'unknown' });
  });

  it('is let go when it may be on again', async () => {
    await addServer('n8', { powerState: 'On', state: 'Reserved' });
    const controller = controllerOf(level('n8'));
    await controller.powerOff(signal);

    await controller.powerOn(signal);

    expect(await maintenancesOf('n8')).toEqual([]);
  });

  it('does not count as off for what was written before anybody took the order up', async () => {
    await addServer('n3', { powerState: 'Off', state: 'Available' });
    const controller = controllerOf(level('n3'));

    await controller.powerOff(signal);

    await expect(controller.readPower(signal)).resolves.toMatchObject({
      state: 'unknown',
      method: 'ironcore n3',
      message: expect.stringContaining('our ServerMaintenance is new'),
    });
  });

  it('is not touched when its UUID is that of another', async () => {
    await addServer('n4', { powerState: 'On', state: 'Reserved' });
    const controller = controllerOf({ ...level('n4'), systemUuid: UUID.replaceAll('8', '9') });

    await expect(controller.powerOff(signal)).rejects.toMatchObject({ code: 'no-such-system' });

    expect(await maintenancesOf('n4')).toEqual([]);
  });

  it.each(['maintenance', 'park'] as const)(
    'gets no order, by %s, of a leader whose Lease ran out while its Server was read',
    async (order) => {
      const name = `late-${order}`;
      await addServer(name, { powerState: 'On', state: 'Reserved' });
      let requests = 0;
      const begun = new Moment(new ManualClock());
      const late = punctualSignal(signal, { begun, withinMs: 1, isLeading: () => requests < 2, what: 'the order' });
      const resource: KubeClient['resource'] = (kind) => {
        requests += 1;
        return service.resource(kind);
      };
      const controller = createIronCoreController({ resource }, { ...level(name), order }, randomUUID);

      const ordered = controller.powerOff(late);

      await expect(ordered).rejects.toMatchObject({ code: 'aborted' });
      expect([await maintenancesOf(name), (await kube.resource(serverKind).get(name)).metadata.annotations]).toEqual([
        [],
        undefined,
      ]);
    },
  );

  it('is told apart from one that is not there', async () => {
    const controller = controllerOf(level('nobody'));

    await expect(controller.readPower(signal)).rejects.toMatchObject({
      code: 'no-such-system',
      message: expect.stringContaining('check server'),
    });
  });

  it('is left in a maintenance of somebody else, and not off by it', async () => {
    await addServer('n5', { powerState: 'Off', state: 'Maintenance' });
    const spec = { policy: 'Enforced', serverRef: { name: 'n5' }, serverPower: 'Off' };
    await kube.resource(maintenanceKind).create({ metadata: { name: 'bios', namespace: 'metal' }, spec });
    const controller = controllerOf(level('n5'));

    await controller.powerOff(signal);

    expect(await maintenancesOf('n5')).toHaveLength(2);
    await expect(controller.readPower(signal)).resolves.toMatchObject({ state: 'unknown' });
  });

  it('is parked where that is how servers are taken out', async () => {
    await addServer('n6', { powerState: 'On', state: 'Reserved' });
    const controller = controllerOf({ ...level('n6'), order: 'park' });

    await controller.powerOff(signal);

    const { metadata } = await kube.resource(serverKind).get('n6');
    expect(metadata.annotations).toMatchObject({ 'metal.ironcore.dev/operation': 'park' });
    await setStatus('n6', { powerState: 'Off', state: 'Parked' });
    await expect(controller.readPower(signal)).resolves.toMatchObject({ state: 'unknown' });
    await consumeOperation('n6');
    await expect(controller.readPower(signal)).resolves.toMatchObject({ state: 'off' });
    await controller.powerOn(signal);
    expect((await kube.resource(serverKind).get('n6')).metadata.annotations).toEqual({
      'metal.ironcore.dev/operation': 'unpark',
    });
  });

  it('is not off by having been parked before', async () => {
    await addServer('n9', { powerState: 'Off', state: 'Parked' });
    const controller = controllerOf({ ...level('n9'), order: 'park' });

    await expect(controller.powerOff(signal)).rejects.toMatchObject({ code: 'refused' });

    await expect(controller.readPower(signal)).resolves.toMatchObject({ state: 'unknown' });
  });

  it('ends at the deadline', async () => {
    const controller = controllerOf({ ...level('n1'), timeoutMs: 1 });

    await expect(controller.readPower(signal)).rejects.toMatchObject({ code: 'timeout' });
    await expect(controller.readPower(AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });
  });
});

function controllerOf(at: IronCoreLevel): PowerController {
  return createIronCoreController(service, at, randomUUID);
}

async function openService(kubeconfig: string): Promise<KubeClient> {
  const accounts = new ChartAccounts({ admin: kube, kubeconfig });
  await accounts.install({ files: ['ha-service'] }, signal);
  const body = {
    metadata: { name: 'smalt-ha-service-ironcore' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'smalt-ha-service-ironcore' },
    subjects: [{ kind: 'ServiceAccount', name: 'smalt-ha-service', namespace: 'smalt-system' }],
  };
  const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
  await kube.request({ method: 'POST', path, body: JSON.stringify(body) });
  const client = new KubeClient({ config: await accounts.config({ name: 'smalt-ha-service' }), userAgent: 'test/1' });
  await vi.waitFor(() =>
    expect(client.resource(serverKind).get('nobody')).rejects.toMatchObject({ code: 'not-found' }),
  );
  return client;
}

async function maintenancesOf(server: string): Promise<readonly ServerMaintenance[]> {
  const { items } = await kube.resource(maintenanceKind).list({ namespace: 'metal' });
  return items.filter(({ spec }) => spec?.serverRef?.name === server);
}

/** What metal-operator does with an operation that it has carried out. */
async function consumeOperation(server: string): Promise<void> {
  const metadata = { annotations: { 'metal.ironcore.dev/operation': null } };
  await kube.resource(serverKind).patch(server, 'merge', { metadata });
}

async function during(resource: AsyncDisposable, work: () => Promise<void>): Promise<void> {
  await using _ = resource;
  await work();
}

function level(server: string): IronCoreLevel {
  return { driver: 'ironcore', name: 'iron', server, namespace: 'metal', systemUuid: UUID };
}

async function addServer(name: string, status: Server['status'] & {}): Promise<void> {
  await kube.resource(serverKind).create({ metadata: { name }, spec: { systemUUID: UUID.toUpperCase() } });
  await setStatus(name, status);
}

async function setStatus(name: string, status: Server['status'] & {}): Promise<void> {
  await kube.resource(serverKind).patch(name, 'merge', { status }, { subresource: 'status' });
}

/** What metal-operator does with a maintenance that is enforced: takes the server over, has it off, and says so. */
function startOperator(): AsyncDisposable & { readonly seen: readonly string[] } {
  const stopping = new AbortController();
  const seen: string[] = [];
  const obey = async ({ metadata: { name }, spec }: ServerMaintenance): Promise<void> => {
    if (seen.includes(name) || spec?.policy !== 'Enforced' || spec.serverRef === undefined) return;
    seen.push(name);
    const serverMaintenanceRef = { name, namespace: 'metal' };
    await kube.resource(serverKind).patch(spec.serverRef.name, 'merge', { spec: { serverMaintenanceRef } });
    const status = { state: 'InMaintenance' };
    const place = { namespace: 'metal', subresource: 'status' } as const;
    await kube.resource(maintenanceKind).patch(name, 'merge', { status }, place);
    await setStatus(spec.serverRef.name, { state: 'Maintenance', powerState: 'PoweringOff' });
    await setStatus(spec.serverRef.name, { powerState: 'Off' });
  };
  const running = (async () => {
    for await (const events of follow(kube.resource(maintenanceKind), { signal: stopping.signal })) {
      for (const event of events) if (event.type === 'ADDED') await obey(event.object);
    }
  })().catch((error: unknown) => {
    if (!stopping.signal.aborted) throw error;
  });
  return {
    seen,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await running;
    },
  };
}

function definitionOf({
  group,
  version,
  kind,
  plural,
  isNamespaced,
}: KindReference): Readonly<Record<string, unknown>> {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: isNamespaced ? 'Namespaced' : 'Cluster',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}
