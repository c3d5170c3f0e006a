import { connect, type ClientHttp2Session } from 'node:http2';
import { request as httpsRequest } from 'node:https';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { machine, machineDefinition } from '../fixtures/machine-definition.ts';
import { startTestServer, type TestServer } from '../fixtures/test-server.ts';

const MACHINES = '/apis/bench.example.dev/v1/namespaces/default/machines';
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

let api: TestServer;

beforeAll(async () => {
  api = await startTestServer();
  await api.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: machineDefinition() });
  await until(async () => (await api.call('GET', MACHINES)).code === 200);
});

afterAll(async () => {
  await api[Symbol.asyncDispose]();
});

describe('watches', () => {
  it('tells of changes as lines, over HTTP/1.1', async () => {
    const { object } = await api.call('GET', MACHINES);
    const { resourceVersion } = object['metadata'] as { resourceVersion: string };
    const events = watchLines(`${MACHINES}?watch=true&timeoutSeconds=2&resourceVersion=${resourceVersion}`);
    await events.opened;

    await api.call('POST', MACHINES, { body: machine('watched') });
    await api.call('DELETE', `${MACHINES}/watched`);

    expect(await events.lines).toMatchObject([
      { type: 'ADDED', object: { metadata: { name: 'watched' } } },
      { type: 'DELETED', object: { metadata: { name: 'watched' } } },
    ]);
  });

  it('tells of changes over HTTP/2, many watches on one connection', async () => {
    const session = connect(api.server.url, { ca: api.server.ca });
    const watches = Array.from({ length: 20 }, () =>
      watchOver(session, `${CONFIG_MAPS}?watch=true&fieldSelector=metadata.name=h2&timeoutSeconds=2`),
    );
    await Promise.all(watches.map(({ opened }) => opened));

    await api.call('POST', CONFIG_MAPS, { body: configMap('h2', 'x') });

    for (const { lines } of watches)
      expect(await lines).toMatchObject([{ type: 'ADDED', object: { metadata: { name: 'h2' } } }]);
    session.close();
  });

  it('starts with what is there, and marks where that ends', async () => {
    const query =
      'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&timeoutSeconds=1';
    await api.call('POST', CONFIG_MAPS, { body: configMap('first', 'x') });

    const lines = await watchLines(`${CONFIG_MAPS}?${query}&fieldSelector=metadata.name=first`).lines;

    expect(lines).toMatchObject([
      { type: 'ADDED', object: { metadata: { name: 'first' } } },
      {
        type: 'BOOKMARK',
        object: { kind: 'ConfigMap', metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } },
      },
    ]);
  });

  it('sends tables with the columns in the first event only', async () => {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    await api.call('POST', MACHINES, { body: machine('t1') });
    await api.call('POST', MACHINES, { body: machine('t2') });

    const lines = await watchLines(`${MACHINES}?watch=true&timeoutSeconds=1`, { accept }).lines;

    expect(lines.slice(0, 2)).toMatchObject([
      { type: 'ADDED', object: { kind: 'Table', columnDefinitions: [{ name: 'Name' }, {}, {}, {}, {}], rows: [{}] } },
      { type: 'ADDED', object: { kind: 'Table', columnDefinitions: null, rows: [{}] } },
    ]);
  });

  it('closes a watcher that does not read, and goes on with the others', async () => {
    const stuck = await stuckWatcher(`${CONFIG_MAPS}?watch=true&timeoutSeconds=60`);
    const content = 'x'.repeat(500_000);
    await api.call('POST', CONFIG_MAPS, { body: configMap('fat', content) });

    for (let change = 0; !(await hasClosedWatchers()); change++) {
      await api.call('PUT', `${CONFIG_MAPS}/fat`, { body: configMap('fat', `${change}${content}`) });
    }

    expect(await api.call('GET', '/readyz')).toMatchObject({ code: 200 });
    stuck.destroy();
  });

  it('refuses options that do not go together with 422', async () => {
    const answer = await api.call('GET', `${MACHINES}?watch=true&sendInitialEvents=true`);

    expect(answer).toMatchObject({
      code: 422,
      object: {
        message:
          'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      },
    });
  });
});

describe('stopping', () => {
  it('ends watches and lets go of the port and the store', async () => {
    const other = await startTestServer();
    const events = watchLines('/apis/coordination.k8s.io/v1/leases?watch=true', {}, other);
    await events.opened;

    await other[Symbol.asyncDispose]();

    expect(await events.lines).toEqual([]);
    await expect(other.call('GET', '/healthz')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });
});

interface Watching {
  readonly opened: Promise<void>;
  readonly lines: Promise<readonly unknown[]>;
}

function watchLines(path: string, headers: Record<string, string> = {}, { server }: TestServer = api): Watching {
  const opened = Promise.withResolvers<void>();
  const lines = new Promise<readonly unknown[]>((resolve, reject) => {
    const all = { authorization: `Bearer ${server.adminToken}`, ...headers };
    const request = httpsRequest(`${server.url}${path}`, { ca: server.ca, headers: all, agent: false }, (response) => {
      opened.resolve();
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(readLines(chunks)));
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end();
  });
  return { opened: opened.promise, lines };
}

function watchOver(session: ClientHttp2Session, path: string): Watching {
  const opened = Promise.withResolvers<void>();
  const lines = Promise.withResolvers<readonly unknown[]>();
  const stream = session.request({ ':path': path, authorization: `Bearer ${api.server.adminToken}` });
  const chunks: Buffer[] = [];
  stream.on('response', () => opened.resolve());
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => lines.resolve(readLines(chunks)));
  stream.on('error', (error) => lines.reject(error));
  return { opened: opened.promise, lines: lines.promise };
}

function readLines(chunks: readonly Buffer[]): readonly unknown[] {
  const text = Buffer.concat(chunks).toString('utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
}

function configMap(
  name: string,
  content: string,
): { apiVersion: string; kind: string; metadata: { name: string }; data: { content: string } } {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { content } };
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue()));
}

function stuckWatcher(path: string): Promise<ReturnType<typeof httpsRequest>> {
  const { server } = api;
  const headers = { authorization: `Bearer ${server.adminToken}` };
  return new Promise((resolve) => {
    // Nobody listens for data, so that nothing is read beyond what the buffers take.
    const request = httpsRequest(`${server.url}${path}`, { ca: server.ca, headers, agent: false }, () =>
      resolve(request),
    );
    request.on('error', () => undefined);
    request.end();
  });
}

async function hasClosedWatchers(): Promise<boolean> {
  const { text } = await api.call('GET', '/metrics');
  return /^apiserver_terminated_watchers_total [1-9]/m.test(text);
}
