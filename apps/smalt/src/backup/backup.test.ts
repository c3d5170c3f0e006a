import { chmod, mkdir, mkdtempDisposable, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startApiServer, type ApiServer } from '@smalt/apiserver';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { createLogger } from '@smalt/service-runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { exitCodeOf } from '../output/exit-code.ts';
import { runBackup } from './run-backup.ts';
import { storeProblem } from './store-problem.ts';

let directory: string;
let stack: AsyncDisposableStack;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  directory = stack.use(await mkdtempDisposable(join(tmpdir(), 'smalt-backup-'))).path;
});

afterEach(() => stack.disposeAsync());

describe('smalt backup', () => {
  it('copies a server that is written to; a server that is started from it has every write that was acknowledged before', async () => {
    const server = await startServer('first');
    const client = await clientOf(server);
    const acknowledged: string[] = [];
    const stop = new AbortController();
    const writers = [0, 1, 2, 3].map((writer) => writeOn({ client, writer, acknowledged, stop: stop.signal }));
    await expect.poll(() => acknowledged.length).toBeGreaterThan(40);

    const before = [...acknowledged];
    const file = join(directory, 'store.sqlite');
    const printed = await backUp(server, file);
    const during = acknowledged.length;
    await expect.poll(() => acknowledged.length).toBeGreaterThan(during);
    stop.abort();
    await Promise.all(writers);

    expect(printed).toBe(`all objects are in ${file} (${(await stat(file)).size} bytes); Secrets are among them\n`);
    expect((await stat(file)).mode % 0o1000).toBe(0o600);
    await mkdir(join(directory, 'second'), { mode: 0o700 });
    await rename(file, join(directory, 'second/store.sqlite'));
    const restored = await secretsOf(await clientOf(await startServer('second')));
    expect(before.filter((name) => !restored.has(name))).toEqual([]);
    expect(before.length).toBeGreaterThan(40);
  });

  it('leaves no copy behind on the server, and can be had again', async () => {
    const server = await startServer('first');

    await backUp(server, join(directory, 'one'));
    await backUp(server, join(directory, 'two'));

    expect((await readdir(join(directory, 'first'))).filter((name) => name.includes('backup'))).toEqual([]);
    expect((await readdir(directory)).toSorted()).toEqual(['first', 'one', 'two']);
  });

  it('tells why a server cannot copy its store, and works when it can again', async () => {
    const server = await startServer('first');
    const file = join(directory, 'store.sqlite');
    await rename(join(directory, 'first'), join(directory, 'away'));

    const failure = await run(join(directory, 'away/identity/admin.kubeconfig'), file).catch((error: unknown) => error);

    expect(failure).toMatchObject({
      code: 'server',
      message: expect.stringContaining('the store could not be copied'),
    });
    await rename(join(directory, 'away'), join(directory, 'first'));
    expect(await backUp(server, file)).toContain(file);
  });

  it('never replaces a file', async () => {
    const server = await startServer('first');
    const file = join(directory, 'mine');
    await writeFile(file, 'precious');

    const failure = await backUp(server, file).catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: 'refused', message: `${file} is there already: name another file` });
    expect(exitCodeOf(failure)).toBe(4);
    expect(await readFile(file, 'utf8')).toBe('precious');
  });

  it('names the file when its directory is not there', async () => {
    const server = await startServer('first');
    const file = join(directory, 'nowhere/file');

    await expect(backUp(server, file)).rejects.toMatchObject({
      code: 'failed',
      message: expect.stringContaining(file),
    });
  });

  it('leaves nothing behind when the server sends only a part of it', async () => {
    const server = await startServer('first');
    const whole = join(directory, 'whole');
    await backUp(server, whole);
    const half = (await readFile(whole)).subarray(0, 8_192);
    const kubeconfig = await kubeconfigOf(await serveAlways(200, half));

    const failure = await run(kubeconfig, join(directory, 'half')).catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: 'failed', message: expect.stringContaining('it has 8192 bytes and not') });
    expect((await readdir(directory)).filter((name) => name.startsWith('half'))).toEqual([]);
  });

  it('says how another API server is backed up', async () => {
    const kubeconfig = await kubeconfigOf(await serveAlways(404, Buffer.from('404 page not found\n')));

    const failure = await run(kubeconfig, join(directory, 'none')).catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: 'not-found', message: expect.stringContaining('etcdctl snapshot save') });
    expect(exitCodeOf(failure)).toBe(3);
  });
});

it.each([
  { head: Buffer.from('nonsense'), expected: 'it is no SQLite file' },
  { head: headOf({ applicationId: 1 }), expected: 'it is no store of an API server of Smalt' },
  { head: headOf({}), expected: undefined },
  { head: headOf({ pages: 3 }), expected: 'it has 8192 bytes and not 12288' },
  { head: headOf({ pages: 1, pageBytes: 1 }), expected: 'it has 8192 bytes and not 65536' },
])('says of a copy: $expected', ({ head, expected }) => {
  expect(storeProblem(head, 8_192)).toBe(expected);
});

function headOf({ applicationId = 0x536d6c74, pages = 2, pageBytes = 4_096 }): Buffer {
  const head = Buffer.alloc(100);
  head.write('SQLite format 3\0', 'latin1');
  head.writeUInt16BE(pageBytes, 16);
  head.writeUInt32BE(pages, 28);
  head.writeUInt32BE(applicationId, 68);
  return head;
}

async function startServer(name: string): Promise<ApiServer> {
  const log = createLogger({ name: 'test', level: 'silent', destination: { write: () => undefined } });
  const listen = { host: '127.0.0.1', port: 0 };
  const options = { dataDirectory: join(directory, name), listen, log };
  return stack.use(await startApiServer(options, AbortSignal.timeout(30_000)));
}

async function clientOf({ kubeconfig }: ApiServer): Promise<KubeClient> {
  const config = await loadKubeConfig({ path: kubeconfig, environment: {} });
  return stack.use(new KubeClient({ config, userAgent: 'test/1' }));
}

interface Writing {
  readonly client: KubeClient;
  readonly writer: number;
  readonly acknowledged: string[];
  readonly stop: AbortSignal;
}

async function writeOn({ client, writer, acknowledged, stop }: Writing): Promise<void> {
  for (let number = 0; !stop.aborted; number++) {
    const name = `s-${writer}-${number}`;
    const body = JSON.stringify({ metadata: { name }, stringData: { padding: 'x'.repeat(2_000) } });
    await client.request({ method: 'POST', path: '/api/v1/namespaces/default/secrets', body });
    acknowledged.push(name);
  }
}

async function secretsOf(client: KubeClient): Promise<ReadonlySet<string>> {
  const kind = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', isNamespaced: true };
  const { items } = await client.resource(kind).list({ namespace: 'default' });
  return new Set(items.map(({ metadata }) => metadata.name ?? ''));
}

function backUp({ kubeconfig }: ApiServer, file: string): Promise<string> {
  return run(kubeconfig, file);
}

async function run(kubeconfig: string, file: string): Promise<string> {
  let printed = '';
  const write = (text: string): Promise<void> => {
    printed += text;
    return Promise.resolve();
  };
  const output = { isTerminal: false, size: { columns: 80, rows: 24 }, write };
  await runBackup({ environment: {}, output, signal: AbortSignal.timeout(60_000) }, file, { kubeconfig });
  return printed;
}

async function serveAlways(code: number, body: Buffer): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(code).end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  stack.defer(async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
}

async function kubeconfigOf(url: string): Promise<string> {
  const path = join(directory, 'kubeconfig');
  const config = {
    clusters: [{ name: 'c', cluster: { server: url } }],
    users: [{ name: 'u', user: {} }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  await writeFile(path, JSON.stringify(config));
  await chmod(path, 0o600);
  return path;
}
