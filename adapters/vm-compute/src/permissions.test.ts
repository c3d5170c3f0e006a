import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { installDefinitions, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import type { Compute, ComputeHost } from '@smalt/compute';
import { isJsonObject } from '@smalt/json';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { readVmDefinitions } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { createVmCompute } from './create-vm-compute.ts';
import { ComputeBed, NOW } from './fixtures/compute-bed.ts';

const FILE = resolve(import.meta.dirname, '../../../deploy/helm/smalt/files/rbac/virtual-machines-compute.yaml');
const SYSTEM = 'smalt-system';
const OPERATOR = 'smalt-hypervisor-operator';
const HA_SERVICE = 'smalt-ha-service';
const signal = AbortSignal.timeout(120_000);
const owned = new AsyncDisposableStack();
let server: TestApiServer;
let administrator: KubeClient;
let bed: ComputeBed;

beforeAll(async () => {
  server = owned.use(await startTestApiServer({ signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  administrator = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  await installDefinitions(administrator, await readVmDefinitions(), signal);
  await create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: SYSTEM } });
  await create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  for (const name of [OPERATOR, HA_SERVICE]) {
    await create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: SYSTEM } });
  }
  for (const document of parseAllDocuments(await readFile(FILE, 'utf8'))) await create(Object(document.toJS()));
  bed = new ComputeBed(administrator, server.kubeconfig, owned);
});

afterAll(() => owned.disposeAsync());

describe('the permissions on virtual machines', () => {
  it('are enough for an operator to empty, test, label and take away hosts', async () => {
    const caller = await callerOf(OPERATOR);
    const { compute } = caller;
    const host = await hostWithMachine('o-host', 'o-vm');

    await compute.hosts.disable(host, 'new kernel', signal);
    await askEverything(caller, host, 'shop/o-vm');
    await compute.moves.startLive('shop/o-vm', signal);
    for (const move of await compute.moves.list(host, new Date(0), signal)) await compute.moves.abort(move, signal);
    await unlessServed(compute.moves.startCold('shop/o-vm', signal));
    await compute.aggregates.join(host, await aggregateOf(compute, host), signal);
    const traits = await compute.traits.get(host, signal);
    await compute.traits.set(host, { ...traits, traits: ['CUSTOM_A'] }, signal);
    await compute.smokeTests.start({ name: 'probe', host, zone: 'a' }, signal);
    await unlessServed(compute.smokeTests.console('smalt-smoke-tests/probe', 5, signal));
    await compute.smokeTests.delete('smalt-smoke-tests/probe', signal);
    await bed.removeInstance('o-vm');

    expect(await compute.hosts.deregister(host, signal)).toEqual({ kind: 'done' });
    expect(await compute.smokeTests.list('', signal)).toEqual([]);
  });

  it('are enough for an HA service to declare a host dead and have its machines started elsewhere', async () => {
    const caller = await callerOf(HA_SERVICE);
    const { compute } = caller;
    const host = await hostWithMachine('h-host', 'h-vm');

    await askEverything(caller, host, 'shop/h-vm');
    await compute.hosts.forceDown(host, signal);
    await compute.evacuations.start('shop/h-vm', {}, signal);

    expect(await compute.evacuations.list(host, new Date(0), signal)).toMatchObject([{ state: 'open' }]);
  });

  it('let an HA service neither move nor make instances', async () => {
    const { compute } = await callerOf(HA_SERVICE);
    const host = await hostWithMachine('n-host', 'n-vm');

    await expect(compute.moves.startLive('shop/n-vm', signal)).rejects.toThrow('forbidden');
    await expect(compute.smokeTests.start({ name: 'x', host, zone: 'a' }, signal)).rejects.toThrow('forbidden');
  });

  it('let nobody make or delete instances of others', async () => {
    const { instances } = bed.api;
    const { compute } = await callerOf(OPERATOR);
    await hostWithMachine('p-host', 'p-vm');

    await expect(compute.smokeTests.delete('shop/p-vm', signal)).rejects.toThrow('forbidden');
    expect((await instances.get('p-vm', { namespace: 'shop' })).metadata.name).toBe('p-vm');
  });

  it('are all used', async () => {
    const granted = grantedIn(await readFile(FILE, 'utf8'));

    await expect.poll(async () => (await missing(granted)).toSorted(), { timeout: 10_000 }).toEqual([]);

    expect(granted.length).toBeGreaterThan(15);
  });
});

/** What both of them ask of a compute system. */
async function askEverything({ compute, client }: Caller, host: ComputeHost, id: string): Promise<void> {
  await compute.hosts.list(signal);
  await compute.hosts.get(host, signal);
  await compute.instances.list(host, signal);
  await compute.aggregates.membership(host, signal);
  const instance = await compute.instances.get(id, signal);
  if (instance === undefined) throw new Error(`there is no ${id}`);
  await compute.instances.targets(instance, signal);
  for (const order of ['start', 'stop', 'restart']) {
    const path = `/apis/subresources.kubevirt.io/v1/namespaces/shop/virtualmachines/${instance.name}/${order}`;
    await unlessServed(client.text({ method: 'PUT', path, body: '{}', signal }));
  }
}

/** No virt-api is here: who may ask hears that there is nothing, and who may not hears that. */
async function unlessServed(asked: Promise<unknown>): Promise<void> {
  await expect(asked).rejects.toMatchObject({ code: 'not-found' });
}

interface Caller {
  readonly compute: Compute;
  readonly client: KubeClient;
}

async function callerOf(name: string): Promise<Caller> {
  const path = `/api/v1/namespaces/${SYSTEM}/serviceaccounts/${name}/token`;
  const answer = await administrator.request({ method: 'POST', path, body: JSON.stringify({ spec: {} }) });
  const token = String(fieldOf(fieldOf(answer, 'status'), 'token'));
  const config = {
    ...administrator.config,
    identity: { kind: 'token', token: { kind: 'text', text: token } },
  } as const;
  const client = owned.use(new KubeClient({ config, userAgent: `${name}/1` }));
  const readConsole = async ({ url }: { readonly url: URL }): Promise<string> =>
    await client.text({ method: 'GET', path: url.pathname, signal });
  return { compute: createVmCompute({ client, readConsole, now: () => NOW }), client };
}

async function aggregateOf(compute: Compute, host: ComputeHost) {
  const [known] = (await compute.aggregates.membership(host, signal)).known;
  if (known === undefined) throw new Error('there is no aggregate');
  return known;
}

async function hostWithMachine(hostName: string, machineName: string): Promise<ComputeHost> {
  const host = await bed.host(hostName, NOW - 60_000);
  await bed.machine({ name: machineName });
  await bed.instance(machineName, hostName);
  return host;
}

interface Created {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

async function create(object: Created): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  const path = `${root}${place}/${kind.toLowerCase()}s`;
  await administrator.request({ method: 'POST', path, body: JSON.stringify(object) });
}

/** Every permission of the file, such as `list pods of ""`. */
function grantedIn(text: string): readonly string[] {
  return parseAllDocuments(text).flatMap((document) =>
    listOf(fieldOf(document.toJS(), 'rules')).flatMap((rule) => {
      const [groups, resources, verbs] = ['apiGroups', 'resources', 'verbs'].map((name) =>
        textsOf(fieldOf(rule, name)),
      );
      const pairs = (groups ?? []).flatMap((group) => (resources ?? []).map((each) => `${each} of "${group}"`));
      return pairs.flatMap((pair) => (verbs ?? []).map((verb) => `${verb} ${pair}`));
    }),
  );
}

/** Those that nobody made use of, by the log of the server. */
async function missing(granted: readonly string[]): Promise<readonly string[]> {
  const lines = (await readFile(join(server.directory, 'audit.log'), 'utf8')).split('\n');
  const events = lines.filter((line) => line.endsWith('}')).map((line): unknown => JSON.parse(line));
  const ours = events.filter((event) => String(fieldOf(fieldOf(event, 'user'), 'username')).includes(`:${SYSTEM}:`));
  const allowed = ours.filter((event) => fieldOf(fieldOf(event, 'responseStatus'), 'code') !== 403);
  const used = new Set(
    allowed.map((event) => {
      const { resource, subresource, apiGroup = '' } = Object(fieldOf(event, 'objectRef'));
      return `${String(fieldOf(event, 'verb'))} ${resource}${subresource === undefined ? '' : `/${subresource}`} of "${apiGroup}"`;
    }),
  );
  return granted.filter((permission) => !used.has(permission));
}

function fieldOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).map(String);
}
