import { X509Certificate } from 'node:crypto';
import { EventEmitter } from 'node:events';

import { startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { afterAll, beforeAll, expect, it } from 'vitest';

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
  server = owned.use(await startTestApiServer({ signal: AbortSignal.timeout(60_000) }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
}, 60_000);
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

it.each([
  { words: ['--certificates=web'], message: '--certificates[0] must match' },
  { words: ['--keys=A'], message: '--keys[0] must match' },
])('refuses $words', async ({ words, message }) => {
  await expect(run(words)).rejects.toThrow(message);
});

async function run(words: readonly string[]): Promise<number> {
  const context: CommandContext = {
    arguments: [`--kubeconfig=${server.kubeconfig}`, '--namespace=default', ...words],
    environment: {},
    process: Object.assign(new EventEmitter(), { exit: () => undefined }),
    output: { write: () => undefined },
    errors: { write: () => undefined },
  };
  return await certificatesCommand(context);
}

/** What a Secret holds, as text. */
async function read(name: string): Promise<Readonly<Record<string, string>>> {
  const { data = {} } = await client.resource(secretKind).get(name, { namespace: 'default' });
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  );
}
