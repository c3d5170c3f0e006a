import { installDefinitions, startSmaltApiServer } from '@smalt/bed-kubernetes';
import { follow, KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createIronCoreController } from './ironcore-controller.ts';
import { maintenanceKind, serverKind, type Server, type ServerMaintenance } from './ironcore-kinds.ts';
import type { IronCoreLevel } from './power-settings.ts';

const UUID = '38947555-7742-3448-3784-823347823834';
const signal = AbortSignal.timeout(60_000);
const owned = new AsyncDisposableStack();
let kube: KubeClient;

beforeAll(async () => {
  const server = owned.use(await startSmaltApiServer({ signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  kube = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  await installDefinitions(kube, [definitionOf(serverKind), definitionOf(maintenanceKind)], signal);
  const namespaces = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', isNamespaced: false };
  await kube.resource(namespaces).create({ metadata: { name: 'metal' } });
}, 60_000);

afterAll(() => owned.disposeAsync());

describe('a server of IronCore', () => {
  it('is switched off by a maintenance of its own, and is off when the operator says so', async () => {
    await addServer('n1', { powerState: 'On', state: 'Reserved' });
    await using operator = startOperator();
    const controller = createIronCoreController(kube, level('n1'));

    await expect(controller.readPower(signal)).resolves.toMatchObject({ state: 'on' });
    await controller.powerOff(signal);
    await expect.poll(async () => (await controller.readPower(signal)).state, { timeout: 10_000 }).toBe('off');

    const made = await kube.resource(maintenanceKind).get('ha-n1', { namespace: 'metal' });
    expect(made.spec).toEqual({ policy: 'Enforced', serverRef: { name: 'n1' }, serverPower: 'Off' });
    expect(operator.seen).toEqual(['ha-n1']);
  });

  it('may be told to go off twice', async () => {
    await addServer('n2', { powerState: 'On', state: 'Reserved' });
    const controller = createIronCoreController(kube, level('n2'));

    await controller.powerOff(signal);
    await controller.powerOff(signal);

    const { items } = await kube.resource(maintenanceKind).list({ namespace: 'metal' });
    expect(items.filter(({ spec }) => spec?.serverRef?.name === 'n2')).toHaveLength(1);
  });

  it('does not count as off for what was written before anybody took the order up', async () => {
    await addServer('n3', { powerState: 'Off', state: 'Available' });
    const controller = createIronCoreController(kube, level('n3'));

    await controller.powerOff(signal);

    await expect(controller.readPower(signal)).resolves.toMatchObject({
      state: 'unknown',
      method: expect.stringContaining('our ServerMaintenance is new'),
    });
  });

  it('is not touched when its UUID is that of another', async () => {
    await addServer('n4', { powerState: 'On', state: 'Reserved' });
    const controller = createIronCoreController(kube, { ...level('n4'), systemUuid: UUID.replaceAll('8', '9') });

    await expect(controller.powerOff(signal)).rejects.toMatchObject({ code: 'no-such-system' });

    await expect(kube.resource(maintenanceKind).get('ha-n4', { namespace: 'metal' })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('is told apart from one that is not there', async () => {
    const controller = createIronCoreController(kube, level('nobody'));

    await expect(controller.readPower(signal)).rejects.toMatchObject({
      code: 'no-such-system',
      message: expect.stringContaining('check server'),
    });
  });

  it('is refused where a maintenance of the same name says something else', async () => {
    await addServer('n5', { powerState: 'On', state: 'Reserved' });
    const spec = { policy: 'Enforced', serverRef: { name: 'n5' }, serverPower: 'On' };
    await kube.resource(maintenanceKind).create({ metadata: { name: 'ha-n5', namespace: 'metal' }, spec });

    await expect(createIronCoreController(kube, level('n5')).powerOff(signal)).rejects.toMatchObject({
      code: 'refused',
    });
  });

  it('is parked where that is how servers are taken out', async () => {
    await addServer('n6', { powerState: 'On', state: 'Reserved' });
    const controller = createIronCoreController(kube, { ...level('n6'), order: 'park' });

    await controller.powerOff(signal);

    const { metadata } = await kube.resource(serverKind).get('n6');
    expect(metadata.annotations).toEqual({ 'metal.ironcore.dev/operation': 'park' });
    await setStatus('n6', { powerState: 'Off', state: 'Parked' });
    await expect(controller.readPower(signal)).resolves.toMatchObject({ state: 'off' });
  });

  it('ends at the deadline', async () => {
    const controller = createIronCoreController(kube, { ...level('n1'), timeoutMs: 1 });

    await expect(controller.readPower(signal)).rejects.toMatchObject({ code: 'timeout' });
    await expect(controller.readPower(AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });
  });
});

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
