import { X509Certificate } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { ChartAccounts, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { certificatesCommand } from './certificates-command.ts';
import type { CommandContext } from './command-context.ts';

interface Secret extends KubernetesObject {
  readonly data?: Readonly<Record<string, string>>;
}

const secretKind: KindReference<Secret> = {
  group: '',
  version: 'v1',
  kind: 'Secret',
  plural: 'secrets',
  isNamespaced: true,
};

interface Node extends KubernetesObject {
  readonly status?: unknown;
}

const nodeKind: KindReference<Node> = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

const owned = new AsyncDisposableStack();
let server: TestApiServer;
let client: KubeClient;

beforeAll(async () => {
  server = owned.use(await startTestApiServer());
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
});
afterAll(() => owned.disposeAsync());

it('makes what is missing, and leaves what is good as it is', async () => {
  expect(await run(['--certificates=web-tls=web.shop.svc+web.example', '--keys=web-key'])).toBe(0);
  const [first, key] = [await read('web-tls'), await read('web-key')];
  expect(await run(['--certificates=web-tls=web.shop.svc+web.example', '--keys=web-key'])).toBe(0);

  expect([await read('web-tls'), await read('web-key')]).toEqual([first, key]);
  const certificate = new X509Certificate(first['tls.crt'] ?? '');
  expect(certificate.subjectAltName).toBe('DNS:web.shop.svc, DNS:web.example');
  expect(certificate.subject).toBe('CN=web');
  expect(certificate.verify(new X509Certificate(first['ca.crt'] ?? '').publicKey)).toBe(true);
  expect(Buffer.from(key['key'] ?? '', 'base64')).toHaveLength(32);
});

it('renews a certificate for other names under the same authority', async () => {
  await run(['--certificates=other-tls=a.svc']);
  const before = await read('other-tls');
  await run(['--certificates=other-tls=a.svc+b.svc']);
  const after = await read('other-tls');

  expect(new X509Certificate(after['tls.crt'] ?? '').checkHost('b.svc')).toBe('b.svc');
  expect(after['ca.crt']).toBe(before['ca.crt']);
});

it('gives each chosen node a certificate by which the others know it, and only once', async () => {
  for (const [name, address] of [
    ['n1', '10.0.0.1'],
    ['n2', '10.0.0.2'],
    ['other', '10.0.0.3'],
  ] as const) {
    const labels = name === 'other' ? {} : { hypervisor: 'yes' };
    const node = await client.resource(nodeKind).create({ metadata: { name, labels } });
    const addresses = [{ type: 'InternalIP', address }];
    await client.resource(nodeKind).replaceStatus({ ...node, status: { addresses } });
  }
  const words = ['--nodes-namespace=default', '--nodes-selector=hypervisor=yes'];
  await run(words);
  const [first, second] = [await read('tls-libvirt-n1'), await read('tls-libvirt-n2')];
  await run(words);

  expect([await read('tls-libvirt-n1'), await read('tls-libvirt-n2')]).toEqual([first, second]);
  await expect(read('tls-libvirt-other')).rejects.toThrow('not found');
  expect(Object.keys(first).toSorted()).toEqual(['ca.crt', 'tls.crt', 'tls.key']);
  const [certificate, other] = [first, second].map((data) => new X509Certificate(data['tls.crt'] ?? ''));
  expect([certificate?.checkHost('n1'), certificate?.checkIP('10.0.0.1')]).toEqual(['n1', '10.0.0.1']);
  expect(certificate?.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  const { publicKey } = new X509Certificate((await read('smalt-libvirt-ca'))['ca.crt'] ?? '');
  expect([certificate?.verify(publicKey), other?.verify(publicKey)]).toEqual([true, true]);
});

it('may do what the chart has it do, and makes anew what is not good', async () => {
  const { path: directory } = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-certificates-')));
  const accounts = new ChartAccounts({ admin: client, kubeconfig: server.kubeconfig });
  const rendered = ['smalt-certificates', 'smalt-certificates-nodes'];
  await accounts.install({ files: ['certificates-policies'], rendered }, AbortSignal.timeout(60_000));
  const kubeconfig = await accounts.kubeconfig({ name: 'smalt-certificates' }, directory);
  const labels = { 'node-role.kubernetes.io/hypervisor': '' };
  await client.resource(nodeKind).create({ metadata: { name: 'chart-1', labels } });
  const words = [`--kubeconfig=${kubeconfig}`, ...(await wordsOfChart())];
  const certificates = [
    ['smalt-system', 'smalt-ha-service-tls'],
    ['smalt-system', 'smalt-console-tls'],
    ['smalt-system', 'smalt-libvirt-ca'],
    ['smalt-libvirt', 'tls-libvirt-chart-1'],
  ] as const;

  expect(await runPlain(words)).toBe(0);
  const broken = { data: { 'tls.crt': '', 'tls.key': '', 'ca.crt': '' } };
  for (const [namespace, name] of certificates) {
    await client.resource(secretKind).patch(name, 'merge', broken, { namespace });
  }
  expect(await runPlain(words)).toBe(0);

  for (const [namespace, name] of certificates) {
    const { 'tls.crt': certificate = '' } = await read(name, namespace);
    expect(certificate).toContain('BEGIN CERTIFICATE');
  }
  expect(Object.keys(await read('smalt-console-key', 'smalt-system'))).toEqual(['key']);
});

it.each([
  { words: ['--certificates=web'], message: '--certificates[0] must match' },
  { words: ['--keys=A'], message: '--keys[0] must match' },
])('refuses $words', async ({ words, message }) => {
  await expect(run(words)).rejects.toThrow(message);
});

/** What the CronJob of the chart tells the command. */
async function wordsOfChart(): Promise<readonly string[]> {
  const text = await readFile(resolve(import.meta.dirname, '../../../deploy/smalt.yaml'), 'utf8');
  const job = parseAllDocuments(text).find((each) => each.get('kind') === 'CronJob');
  const path = ['spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers', 0, 'args'];
  const args: unknown = Object(job?.getIn(path)).toJSON();
  return Array.isArray(args) ? args.map(String).filter((word) => word.startsWith('--')) : [];
}

async function run(words: readonly string[]): Promise<number> {
  return await runPlain([`--kubeconfig=${server.kubeconfig}`, '--namespace=default', ...words]);
}

async function runPlain(words: readonly string[]): Promise<number> {
  const context: CommandContext = {
    arguments: words,
    environment: {},
    process: Object.assign(new EventEmitter(), { exit: () => undefined }),
    output: { write: () => undefined },
    errors: { write: () => undefined },
  };
  return await certificatesCommand(context);
}

/** What a Secret holds, as text. */
async function read(name: string, namespace = 'default'): Promise<Readonly<Record<string, string>>> {
  const { data = {} } = await client.resource(secretKind).get(name, { namespace });
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  );
}
