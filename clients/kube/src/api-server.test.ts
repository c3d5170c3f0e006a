import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { AppsV1Api, CoreV1Api, KubeConfig as OfficialConfig } from '@kubernetes/client-node';
import { isOnKubernetes, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { parseFieldSelector, parseLabelSelector, type KindReference, type KubernetesObject } from '@smalt/kubernetes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

import { startConnectProxy } from './connect-proxy.ts';
import { follow, isInitialEnd } from './follow.ts';
import { KubeClient } from './kube-client.ts';
import type { KubeConfig } from './kube-config.ts';
import { isKubeError } from './kube-error.ts';
import { loadKubeConfig } from './load-kube-config.ts';

interface ConfigMap extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

interface Workload extends KubernetesObject {
  readonly spec: object;
  readonly status?: { readonly message?: string; readonly observedGeneration?: number };
}

const mapKind: KindReference<ConfigMap> = { ...core('ConfigMap', 'configmaps'), group: '' };
const podKind: KindReference<Workload> = { ...core('Pod', 'pods'), group: '' };
const deploymentKind: KindReference<Workload> = { ...core('Deployment', 'deployments'), group: 'apps' };
const namespaceKind: KindReference = { ...core('Namespace', 'namespaces'), group: '', isNamespaced: false };

/** A server puts its certificate into every namespace. */
const fieldSelector = parseFieldSelector('metadata.name!=kube-root-ca.crt');

let server: TestApiServer;
let config: KubeConfig;
let client: KubeClient;
let namespace: string;
let count = 0;

beforeAll(async () => {
  server = await startTestApiServer();
  config = {
    server: server.url,
    tls: { authority: { kind: 'text', text: server.authority.toString() }, isInsecure: false },
    identity: { kind: 'token', token: { kind: 'text', text: server.token } },
    namespace: 'default',
  };
  client = new KubeClient({ config, userAgent: 'kube-test/1' });
});

afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

beforeEach(async () => {
  namespace = `kube-test-${process.pid}-${count++}`;
  await client.resource(namespaceKind).create({ metadata: { name: namespace } });
});

describe('beside the official client', () => {
  it('reads what that wrote, and writes what that reads', async () => {
    const { coreApi } = official();
    const maps = client.resource(mapKind);
    const body = { metadata: { name: 'theirs', labels: { by: 'them' } }, data: { a: '1' } };
    const theirs = await coreApi.createNamespacedConfigMap({ namespace, body });
    const ours = await maps.create({ metadata: { name: 'ours', namespace }, data: { b: '2' } });

    const [read, readByThem] = [
      await maps.get('theirs', { namespace }),
      await coreApi.readNamespacedConfigMap({ namespace, name: 'ours' }),
    ];
    const list = await maps.list({ namespace, fieldSelector });
    const listOfThem = await coreApi.listNamespacedConfigMap({
      namespace,
      fieldSelector: 'metadata.name!=kube-root-ca.crt',
    });

    expect(essence(read)).toEqual(essence(theirs));
    expect(essence(ours)).toEqual(essence(readByThem));
    expect(list.items.map(essence)).toEqual(listOfThem.items.map(essence));
  });

  it('gets the same errors', async () => {
    const { coreApi } = official();
    const maps = client.resource(mapKind);
    await maps.create({ metadata: { name: 'taken', namespace } });
    const body = { metadata: { name: 'taken' } };

    const ours = [
      await messageOf(maps.get('missing', { namespace })),
      await messageOf(maps.create({ metadata: { name: 'taken', namespace } })),
      await messageOf(maps.create({ metadata: { name: 'NOT VALID', namespace } })),
    ];
    const theirs = [
      await messageOf(coreApi.readNamespacedConfigMap({ namespace, name: 'missing' })),
      await messageOf(coreApi.createNamespacedConfigMap({ namespace, body })),
      await messageOf(coreApi.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'NOT VALID' } } })),
    ];

    expect(ours).toEqual(theirs);
    expect(ours[0]).toBe('configmaps "missing" not found');
  });

  it('scales alike', async () => {
    const { appsApi } = official();
    const deployments = client.resource(deploymentKind);
    await deployments.create(deployment('d', namespace));

    await deployments.scale('d', 3, { namespace });
    const [replicas, scale] = [
      await deployments.replicas('d', { namespace }),
      await appsApi.readNamespacedDeploymentScale({ name: 'd', namespace }),
    ];
    await deployments.scale('d', 0, { namespace });

    expect([replicas, scale.spec?.replicas, await deployments.replicas('d', { namespace })]).toEqual([3, 3, 0]);
  });
});

describe('writes', () => {
  it('apply what is theirs, name a conflict and take over by force', async () => {
    const maps = client.resource(mapKind);
    await maps.apply('a', { data: { mine: '1', gone: '1' } }, { namespace, fieldManager: 'one' });
    await maps.apply('a', { data: { other: '2' } }, { namespace, fieldManager: 'two' });
    const changed = await maps.apply('a', { data: { mine: '1' } }, { namespace, fieldManager: 'one' });

    const failure = await maps.apply('a', { data: { mine: '9' } }, { namespace, fieldManager: 'two' }).catch(identity);
    const forced = await maps.apply('a', { data: { mine: '9' } }, { namespace, fieldManager: 'two', force: true });

    expect(changed.data).toEqual({ mine: '1', other: '2' });
    expect(failure).toMatchObject({
      code: 'apply-conflict',
      status: { details: { causes: [{ field: '.data.mine', reason: 'FieldManagerConflict' }] } },
    });
    expect(forced.data).toEqual({ mine: '9' });
  });

  it('apply a status without touching the rest', async () => {
    const pods = client.resource(podKind);
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    const created = await pods.create({ metadata: { name: 'p', namespace }, spec });

    const metadata = await pods.applyStatus('p', { message: 'hello' }, { namespace, fieldManager: 'agent' });

    const applied = await pods.get('p', { namespace });
    expect(applied.status?.message).toBe('hello');
    expect(applied.spec).toEqual(created.spec);
    expect(metadata).toMatchObject({ name: 'p', resourceVersion: applied.metadata.resourceVersion });
    expect(metadata.managedFields).toContainEqual(
      expect.objectContaining({ manager: 'agent', operation: 'Apply', subresource: 'status' }),
    );
  });

  it('refuse to overwrite what somebody else has changed', async () => {
    const maps = client.resource(mapKind);
    const old = await maps.create({ metadata: { name: 'a', namespace }, data: { x: '1' } });
    await maps.patch('a', 'merge', { data: { x: '2' } }, { namespace });

    await expect(maps.replace({ ...old, data: { x: '3' } })).rejects.toMatchObject({ code: 'conflict' });
    await expect(maps.delete('a', { namespace, uid: 'another' })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('patch in all ways, and change nothing in a dry run', async () => {
    const maps = client.resource(mapKind);
    await maps.create({ metadata: { name: 'a', namespace }, data: { x: '1', y: '1' } });

    await maps.patch('a', 'json', [{ op: 'replace', path: '/data/x', value: '2' }], { namespace });
    await maps.patch('a', 'strategic', { data: { y: null } }, { namespace });
    const dry = await maps.patch('a', 'merge', { data: { z: '3' } }, { namespace, dryRun: true });

    expect(dry.data).toEqual({ x: '2', z: '3' });
    expect((await maps.get('a', { namespace })).data).toEqual({ x: '2' });
  });

  it('delete a selection', async () => {
    const maps = client.resource(mapKind);
    for (const [name, app] of [
      ['a', 'web'],
      ['b', 'web'],
      ['c', 'db'],
    ] as const) {
      await maps.create({ metadata: { name, namespace, labels: { app } } });
    }

    await maps.deleteCollection({ namespace, labelSelector: parseLabelSelector('app=web') });

    const left = await maps.list({ namespace, fieldSelector });
    expect(left.items.map(({ metadata }) => metadata.name)).toEqual(['c']);
  });
});

describe('reads', () => {
  it('give all pages, of one moment', async () => {
    const maps = client.resource(mapKind);
    for (let index = 0; index < 7; index++) await maps.create({ metadata: { name: `m${index}`, namespace } });
    const names: string[][] = [];

    for await (const page of maps.pages({ namespace, fieldSelector, limit: 3 })) {
      names.push(page.items.map(({ metadata }) => metadata.name));
      if (names.length === 1) await maps.create({ metadata: { name: 'm9', namespace } });
    }

    expect(names).toEqual([['m0', 'm1', 'm2'], ['m3', 'm4', 'm5'], ['m6']]);
  });

  // A kube-apiserver that was started anew tells nothing of before: `follow` says that it is expired then.
  it.skipIf(isOnKubernetes())(
    'follow a collection over a crash of the server, and miss and repeat nothing',
    async () => {
      const maps = client.resource(mapKind);
      const stopping = new AbortController();
      await maps.create({ metadata: { name: 'm0', namespace } });
      const seen: string[] = [];

      for await (const events of follow(maps, { namespace, fieldSelector, signal: stopping.signal })) {
        for (const event of events) {
          if (event.type !== 'ERROR') seen.push(`${event.type} ${event.object.metadata.name ?? ''}`.trim());
        }
        if (events.some(isInitialEnd)) {
          await maps.create({ metadata: { name: 'm1', namespace } });
          await crash();
          await maps.create({ metadata: { name: 'm2', namespace } });
          await maps.delete('m0', { namespace });
        }
        if (seen.includes('DELETED m0')) stopping.abort();
      }

      expect(seen).toEqual(['ADDED m0', 'BOOKMARK', 'ADDED m1', 'ADDED m2', 'DELETED m0']);
    },
  );

  it('stream what has no end, until they are told to stop', async () => {
    const stopping = new AbortController();
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    const query = new URLSearchParams({ watch: 'true', resourceVersion: '0' });
    await client.resource(mapKind).create({ metadata: { name: 'a', namespace } });
    const stream = await client.stream({ method: 'GET', path, query, signal: stopping.signal });

    const reading = (async () => {
      for await (const chunk of stream) if (chunk.includes('"name":"a"')) stopping.abort();
    })();

    await expect(reading).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('identity', () => {
  it.each<[string, () => Promise<KubeConfig> | KubeConfig]>([
    ['with the certificate of a kubeconfig', () => loadKubeConfig({ path: server.kubeconfig, environment: {} })],
    ['with a token', () => config],
    ['with what a plugin prints', pluginConfig],
  ])('is shown %s', async (_how, makeConfig) => {
    await using other = new KubeClient({
      config: await makeConfig(),
      userAgent: 'kube-test/1',
      environment: { PATH: '/usr/bin:/bin' },
    });

    const object = await other.resource(namespaceKind).get(namespace);

    expect(object.metadata.name).toBe(namespace);
  });

  it('is not guessed: without one there is an answer that says so', async () => {
    await using nobody = new KubeClient({ config: { ...config, identity: { kind: 'anonymous' } }, userAgent: 'x/1' });

    const failure = await nobody.resource(namespaceKind).get(namespace).catch(identity);

    expect(isKubeError(failure, 'forbidden', 'unauthorized')).toBe(true);
  });

  it('goes through a proxy without that seeing it', async () => {
    await using proxy = await startConnectProxy();
    await using other = new KubeClient({ config: { ...config, proxyUrl: proxy.url }, userAgent: 'kube-test/1' });

    const object = await other.resource(namespaceKind).get(namespace);

    expect(object.metadata.name).toBe(namespace);
    expect(proxy.targets).toEqual([new URL(config.server).host]);
  });
});

async function crash(): Promise<void> {
  await server.kill();
  await server.restart(AbortSignal.timeout(30_000));
}

async function pluginConfig(): Promise<KubeConfig> {
  const directory = await mkdtemp(join(tmpdir(), 'kube-plugin-'));
  const command = join(directory, 'plugin');
  const credential = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: server.token },
  };
  await writeFile(command, `#!/bin/sh\necho '${JSON.stringify(credential)}'; rm -r ${directory}\n`);
  await chmod(command, 0o755);
  const { apiVersion } = credential;
  const plugin = { apiVersion, command, args: [], environment: {}, isClusterInfoProvided: false };
  return { ...config, identity: { kind: 'exec', plugin } };
}

function official(): { readonly coreApi: CoreV1Api; readonly appsApi: AppsV1Api } {
  const theirConfig = new OfficialConfig();
  const caData = server.authority.toString('base64');
  const cluster = { name: 'c', server: server.url, caData, skipTLSVerify: false };
  theirConfig.loadFromClusterAndUser(cluster, { name: 'u', token: server.token });
  return { coreApi: theirConfig.makeApiClient(CoreV1Api), appsApi: theirConfig.makeApiClient(AppsV1Api) };
}

/** What two clients must agree on: theirs has dates where JSON has text, and the managers differ. */
function essence(object: { metadata?: object }): unknown {
  const { managedFields: _, creationTimestamp: __, ...metadata } = JSON.parse(JSON.stringify(object.metadata ?? {}));
  const { apiVersion: ___, kind: ____, ...rest } = JSON.parse(JSON.stringify(object));
  return { ...rest, metadata };
}

async function messageOf(call: Promise<unknown>): Promise<unknown> {
  const failure: unknown = await call.catch(identity);
  if (isKubeError(failure)) return failure.status?.message;
  const body: unknown = failure instanceof Error && 'body' in failure ? failure.body : undefined;
  const status: unknown = typeof body === 'string' ? JSON.parse(body) : body;
  return typeof status === 'object' && status !== null ? Reflect.get(status, 'message') : undefined;
}

function identity<T>(value: T): T {
  return value;
}

function deployment(name: string, inNamespace: string) {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  return { metadata: { name, namespace: inNamespace }, spec: { selector: { matchLabels: labels }, template } };
}

function core(kind: string, plural: string) {
  return { version: 'v1', kind, plural, isNamespaced: true };
}
