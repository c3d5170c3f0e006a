import { mkdir, mkdtempDisposable, open, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';

import { installDefinitions, startTestApiServer, untilObject } from '@smalt/bed-kubernetes';
import { startTestDaemon } from '@smalt/bed-libvirt';
import { eventKind } from '@smalt/controller-runtime';
import { lockFile } from '@smalt/files';
import { KubeClient, loadKubeConfig, type KubeConfig } from '@smalt/kube';
import { createLogger, HealthRegistry, MetricsRegistry } from '@smalt/service-runtime';
import { readVmDefinitions } from '@smalt/vm-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { FakeKubelet } from '../../../../clients/device-plugin/src/fixtures/fake-kubelet.ts';
import { defaultNetworkSettings } from '../network/network-settings.ts';
import { handledNodeKind, type HandledNode } from '../node/handled-node.ts';
import { NODE_API_DEFAULTS } from '../node-api/node-api-settings.ts';
import type { VirtHandler } from '../virt-handler-options.ts';
import { startVirtHandler } from './start-virt-handler.ts';

const ROLES = resolve(import.meta.dirname, '../../../../deploy/helm/smalt/files/rbac/virt-handler.yaml');
const NAMESPACE = 'smalt-system';

const owned = new AsyncDisposableStack();
let admin: KubeClient;
let kubeConfig: KubeConfig;
let uri: string;
let directory: string;
let log: Record<string, unknown>[];

beforeAll(async () => {
  const signal = AbortSignal.timeout(110_000);
  const server = owned.use(await startTestApiServer({ signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  admin = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  await installDefinitions(admin, await readVmDefinitions(), signal);
  await post('/api/v1/namespaces', { metadata: { name: NAMESPACE } });
  for (const document of parseAllDocuments(await readFile(ROLES, 'utf8'))) await create(Object(document.toJS()));
  const token = await tokenOf('smalt-virt-handler');
  kubeConfig = { ...config, identity: { kind: 'token', token: { kind: 'text', text: token } } };
  uri = owned.use(await startTestDaemon()).uri;
  directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'vh-'))).path;
  log = [];
});

afterAll(() => owned.disposeAsync());

// One node lives through all of it in this order.
describe('a handler', { timeout: 30_000 }, () => {
  const metrics = new MetricsRegistry();
  const health = new HealthRegistry();
  let first: VirtHandler;

  it('waits for its Node, and says so', async () => {
    first = await start('n1', { metrics, health });
    await expect.poll(() => log.some(({ msg }) => String(msg).includes('there is no Node n1'))).toBe(true);

    const report = await health.run('readyz', { signal: AbortSignal.timeout(5_000) });

    expect(report.isHealthy).toBe(false);
    const trouble = report.results.find(({ name }) => name === 'node-written')?.error;
    expect(String(trouble)).toContain('there is no Node n1');
  });

  it('makes its Node say what it can run and where it is, by the permissions of deploy/helm/smalt/files/rbac alone', async () => {
    await post('/api/v1/nodes', { metadata: { name: 'n1' } });
    const node = await untilNode('n1', ({ metadata }) => metadata.labels?.['kubevirt.io/schedulable'] === 'true');

    const scraped = await Readable.from(metrics.scrape(AbortSignal.timeout(5_000)))
      .toArray()
      .then((all) => all.join(''));

    expect(node.metadata.labels).toMatchObject({ 'hypervisor.node.kubevirt.io/test': 'true' });
    expect(node.metadata.annotations?.['smalt.dev/virt-handler-url']).toBe(`https://127.0.0.1:${first.nodeApiPort}`);
    expect(node.metadata.annotations?.['smalt.dev/virt-handler-ca']).toContain('BEGIN CERTIFICATE');
    expect(scraped).toContain('smalt_virt_handler_acting 1');
    expect(scraped).toMatch(/smalt_virt_handler_libvirt_up\{uri="test[^}]*\} 1/);
    expect(scraped).toMatch(/^rest_client_requests_total\{/m);
    expect(scraped).not.toMatch(/^rest_client_requests_total\{[^}]*code="403"/m);
  });

  it('leaves the node to the one that acts on it, and takes it over when that one stops', async () => {
    const others = new MetricsRegistry();
    await using second = await start('n1', { metrics: others });
    await expect
      .poll(() => log.some(({ msg }) => String(msg).includes('another handler acts on this node')))
      .toBe(true);
    const waiting = others.expose();

    await first[Symbol.asyncDispose]();
    const url = `https://127.0.0.1:${second.nodeApiPort}`;
    const node = await untilNode('n1', ({ metadata }) => metadata.labels?.['kubevirt.io/schedulable'] === 'true');

    expect(waiting).toContain('smalt_virt_handler_acting 0');
    expect(node.metadata.annotations?.['smalt.dev/virt-handler-url']).toBe(url);
  });

  it('closes its node to new guests when it stops', async () => {
    const node = await untilNode('n1', ({ metadata }) => metadata.labels?.['kubevirt.io/schedulable'] === 'false');

    expect(node.metadata.name).toBe('n1');
  });

  it('does not act while another process has its state directory, though nobody else claims the node', async () => {
    const metricsOfIt = new MetricsRegistry();
    await mkdir(join(directory, 'n6'), { recursive: true });
    // As a handler of before does, which wrote nothing into it.
    const path = join(directory, 'n6', 'handler.n6.lock');
    const stranger = await open(path, 'a', 0o600);
    await lockFile(stranger);

    await using _handler = await start('n6', { metrics: metricsOfIt });
    await expect.poll(() => log.some(({ acting }) => acting === `whoever has locked ${path}`)).toBe(true);
    const waiting = metricsOfIt.expose();
    await stranger[Symbol.asyncDispose]();

    expect(waiting).toContain('smalt_virt_handler_acting 0');
    await expect.poll(() => metricsOfIt.expose(), { timeout: 10_000 }).toContain('smalt_virt_handler_acting 1');
  });

  it('does not start where its state directory cannot be locked', async () => {
    await mkdir(join(directory, 'n3', 'handler.n3.lock'), { recursive: true });

    const handler = await start('n3');

    await expect(handler.ended).rejects.toMatchObject({
      code: 'bad-setting',
      message: expect.stringMatching(/^state: the state directory cannot be locked: /),
    });
    await handler[Symbol.asyncDispose]();
  });

  it('leaves its devices to a kubelet, and opens its node when that knows of them', async () => {
    const devicePlugins = join(directory, 'plugins');
    await using kubelet = await FakeKubelet.start(devicePlugins);
    await post('/api/v1/nodes', { metadata: { name: 'n5' } });
    await using _handler = await start('n5', { devicePlugins });

    const node = await untilNode('n5', ({ metadata }) => metadata.labels?.['kubevirt.io/schedulable'] === 'true');

    expect(kubelet.registrations.map(({ resourceName }) => resourceName).toSorted()).toEqual([
      'devices.kubevirt.io/tun',
      'devices.kubevirt.io/vhost-net',
    ]);
    expect(node.status?.capacity ?? {}).not.toHaveProperty(['devices.kubevirt.io/tun']);
  });

  it('warns in an event of its Node where guests move in plain text, as soon as there is a Node', async () => {
    const migration = { peerUri: '{driver}+tcp://{address}/system', address: '127.0.0.1' };
    await using _handler = await start('n4', { migration });
    await expect.poll(() => log.some(({ msg }) => String(msg).includes('there is no Node n4'))).toBe(true);
    await post('/api/v1/nodes', { metadata: { name: 'n4' } });

    const { metadata } = await untilNode(
      'n4',
      ({ metadata: { labels } }) => labels?.['kubevirt.io/schedulable'] === 'true',
    );
    await expect.poll(() => eventsOf('n4'), { timeout: 10_000 }).not.toEqual([]);

    expect(await eventsOf('n4')).toMatchObject([
      {
        type: 'Warning',
        reason: 'PlainMigration',
        message: expect.stringMatching(/^migration\.uri is plain TCP: .*; use \+tls/),
        involvedObject: { apiVersion: 'v1', kind: 'Node', name: 'n4', uid: metadata.uid },
        // What the policy of the chart lets a handler write is in the name of its own node.
        source: { component: 'virt-handler', host: 'n4' },
      },
    ]);
  });

  it.each([
    [{ nodeName: 'N_1' }, /^node: "N_1" is not the name of a node/],
    [{ namespace: 'A b' }, /^namespace: "A b" is not the name of a namespace/],
    [{ devicePlugins: 'there' }, /^kubelet\.devicePlugins: "there" must be an absolute path/],
    [{ hostDiskDirectories: ['there'] }, /^hostDisk\.directories: "there" must be an absolute path/],
    [
      { podsDirectory: '/p', hostDiskDirectories: ['/p/a'] },
      /^hostDisk\.directories: "\/p\/a" lies in the state of Smalt, \/p; name another/,
    ],
    [{ stateDirectory: 'here' }, /^state: "here" must be an absolute path/],
    [{ stateDirectory: `/${'x'.repeat(60)}` }, /^state: .* is too long for the sockets of guests below it/],
    [{ drivers: { test: { uri: 'test+what:///' } } }, /^drivers\.test\.uri: /],
    [{ networks: { ...defaultNetworkSettings, podNetwork: 'magic' } }, /podNetwork|network\.pod/],
  ])('does not start with %j', async (options, message) => {
    await expect(start('n9', options)).rejects.toThrow(message);
  });

  it('does not start on a machine that starts guests by itself', async () => {
    const machineDirectory = join(directory, 'machine');
    const wants = join(machineDirectory, 'etc/systemd/system/multi-user.target.wants');
    await mkdir(wants, { recursive: true });
    await symlink('/lib/systemd/system/libvirt-guests.service', join(wants, 'libvirt-guests.service'));

    await expect(start('n9', { drivers: { qemu: {} }, machineDirectory })).rejects.toMatchObject({
      code: 'unsafe-node',
    });
  });

  it('says which address is taken', async () => {
    await using one = await start('n7');

    await expect(start('n8', { listen: `127.0.0.1:${one.nodeApiPort}` })).rejects.toMatchObject({
      code: 'cannot-listen',
      message: expect.stringMatching(/^nodeApi\.listen: /),
    });
  });
});

async function start(
  nodeName: string,
  {
    listen = '127.0.0.1:0',
    ...options
  }: Partial<Parameters<typeof startVirtHandler>[0]> & { readonly listen?: string } = {},
): Promise<VirtHandler> {
  const destination = { write: (line: string) => log.push(Object(JSON.parse(line))) };
  const logger = createLogger({ name: 'test', level: 'info', destination });
  const stateDirectory = join(directory, nodeName.toLowerCase());
  const nodeApi = { ...NODE_API_DEFAULTS, listen, stateDirectory };
  const places = { stateDirectory, podsDirectory: join(directory, 'pods'), drivers: { test: { uri } } };
  const lease = { leaseMs: 3_000, renewDeadlineMs: 2_000, retryMs: 200 };
  return await startVirtHandler(
    { nodeName, kubeConfig, logger, ...places, nodeApi, lease, ...options },
    new AbortController().signal,
  );
}

async function eventsOf(name: string): Promise<readonly unknown[]> {
  const { items } = await admin.resource(eventKind).list({ namespace: 'default' });
  return items.filter(({ involvedObject }) => involvedObject['name'] === name);
}

async function untilNode(name: string, isWanted: (node: HandledNode) => boolean): Promise<HandledNode> {
  return await untilObject({ objects: admin.resource(handledNodeKind), name, isWanted, timeoutMs: 20_000 });
}

interface Created {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

async function create(object: Created): Promise<void> {
  const root = object.apiVersion === 'v1' ? '/api/v1' : `/apis/${object.apiVersion}`;
  const { namespace } = object.metadata;
  const place = namespace === undefined ? root : `${root}/namespaces/${namespace}`;
  await post(`${place}/${object.kind.toLowerCase()}s`, object);
}

async function tokenOf(name: string): Promise<string> {
  const answer = await post(`/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${name}/token`, {
    spec: { expirationSeconds: 3_600 },
  });
  return String(Object(Object(answer).status).token);
}

async function post(path: string, body: object): Promise<unknown> {
  return await admin.request({ method: 'POST', path, body: JSON.stringify(body) });
}
