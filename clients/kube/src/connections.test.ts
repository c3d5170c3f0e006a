import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';

import type { KindReference } from '@smalt/kubernetes';
import { describe, expect, it } from 'vitest';

import { Connections } from './connections.ts';
import type { TlsAccess } from './credentials.ts';
import { sendJson, startFakeServer } from './fake-server.ts';
import { follow } from './follow.ts';
import { KubeClient } from './kube-client.ts';
import type { KubeConfig } from './kube-config.ts';
import type { Exchange, TransportOptions } from './transport.ts';

const machines: KindReference = {
  group: 'x.dev',
  version: 'v1',
  kind: 'Machine',
  plural: 'machines',
  isNamespaced: true,
};

describe('connections', () => {
  it('are used again', async () => {
    const ports = new Set<number>();
    await using server = await startFakeServer((_request, response) => {
      ports.add(response.socket?.remotePort ?? 0);
      sendJson(response, 200, {});
    });
    await using client = clientOf(server.config);

    for (let count = 0; count < 5; count++) await client.request({ method: 'GET', path: '/x' });

    // A connection is free again a moment after its answer was read.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it('are not held up by watches', async () => {
    await using server = await startFakeServer(({ query }, response) => {
      if (query.has('watch')) response.write('\n');
      else sendJson(response, 200, {});
    });
    await using client = clientOf(server.config);
    const watches = await Promise.all(Array.from({ length: 100 }, () => client.stream(watchRequest)));

    const answer = await client.request({ method: 'GET', path: '/x' });

    expect([watches.length, answer]).toEqual([100, {}]);
  });

  it('wait for their turn when there are very many requests', async () => {
    const open = { now: 0, most: 0 };
    await using server = await startFakeServer(async (_request, response) => {
      open.most = Math.max(open.most, ++open.now);
      await new Promise((resolve) => void setImmediate(resolve));
      open.now--;
      sendJson(response, 200, {});
    });
    await using client = clientOf(server.config);

    const answers = await Promise.all(
      Array.from({ length: 1_000 }, () => client.request({ method: 'GET', path: '/x' })),
    );

    expect(answers).toHaveLength(1_000);
    expect(open.most).toBeLessThanOrEqual(64);
  });

  it('give up on a server that takes a request and never answers', async () => {
    await using silent = await startSilentServer();
    await using client = clientOf(silent.config, { timeoutMs: 50 });

    await expect(client.request({ method: 'GET', path: '/x' })).rejects.toMatchObject({ code: 'timeout' });
  });

  it('notice a watch that has gone quiet', async () => {
    await using server = await startFakeServer((_request, response) => {
      response.write('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"1"}}}\n');
    });
    await using client = clientOf(server.config);
    const batches: number[] = [];

    const watching = (async () => {
      const watch = client.resource(machines).watch({ idleTimeoutMs: 50 });
      for await (const events of watch) batches.push(events.length);
    })();

    await expect(watching).rejects.toMatchObject({ code: 'timeout' });
    expect(batches).toEqual([1]);
  });

  it('repeat even a write when the server was not there', async () => {
    const port = await freePort();
    const config = { ...plainConfig, server: `http://127.0.0.1:${port}` };
    const late = createHttpServer((_request, response) => sendJson(response, 201, { isMade: true }));
    const clock = {
      now: () => 0,
      monotonic: () => 0,
      wait: async () => void (await once(late.listen(port, '127.0.0.1'), 'listening')),
    };
    await using client = clientOf(config, { clock, maxAttempts: 2 });

    const answer = await client.request({ method: 'POST', path: '/x', body: '{}' });

    expect(answer).toEqual({ isMade: true });
    late.closeAllConnections();
    late.close();
  });

  it('end with the client, watches too', async () => {
    await using server = await startFakeServer((_request, response) => {
      response.write('{"type":"BOOKMARK","object":{"metadata":{"resourceVersion":"1"}}}\n');
    });
    const client = clientOf(server.config);
    const watching = follow(client.resource(machines), { resourceVersion: '1' });
    await watching.next();

    await client[Symbol.asyncDispose]();

    await expect(watching.next()).rejects.toMatchObject({
      code: 'aborted',
      message: expect.stringContaining('closed'),
    });
    await expect(client.request({ method: 'GET', path: '/x' })).rejects.toMatchObject({ code: 'aborted' });
  });

  it('change with the certificate, and let what is under way on the old ones go on', async () => {
    const sent = Promise.withResolvers<void>();
    await using server = await startFakeServer(async (_request, response) => {
      response.write('first');
      await sent.promise;
      response.write('second');
    });
    const connections = new Connections(server.config);
    const old = connections.streams(access('old'));
    const { body } = await old.request({ path: '/x', method: 'GET' });
    const chunks = body[Symbol.asyncIterator]();
    await chunks.next();

    const isSame = connections.streams(access('old')) === old;
    const isOther = connections.streams(access('new')) !== old;
    sent.resolve();
    const second = await chunks.next();
    await connections[Symbol.asyncDispose]();

    expect([isSame, isOther, String(second.value)]).toEqual([true, true, 'second']);
    await expect(chunks.next()).rejects.toBeInstanceOf(Error);
  });

  it('hold a server back whose events nobody takes', async () => {
    const line = `${JSON.stringify({ type: 'ADDED', object: { metadata: { name: 'x'.repeat(1 << 20) } } })}\n`;
    const sent: number[] = [];
    await using server = await startFakeServer(async (_request, response) => {
      const watch = sent.push(0) - 1;
      for (let count = 1; count <= 40; count++) {
        if (!response.write(line)) await once(response, 'drain');
        sent[watch] = count;
      }
      response.end();
    });
    await using client = clientOf(server.config);
    const held = client.resource(machines).watch();
    await held.next();

    // Whose events are taken gets all of them, and so there was time to send as many to the other.
    let taken = 0;
    for await (const events of client.resource(machines).watch()) taken += events.length;

    expect([taken, sent[1]]).toEqual([40, 40]);
    expect(sent[0]).toBeLessThan(30);
  });

  it('tell how each attempt went', async () => {
    const exchanges: Exchange[] = [];
    await using server = await startFakeServer((_request, response) => {
      if (server.requests.length === 1) response.destroy();
      else sendJson(response, 404, {});
    });
    const clock = { now: () => 0, monotonic: () => 0, wait: async () => {} };
    await using client = clientOf(server.config, { clock, maxAttempts: 2, onExchange: (each) => exchanges.push(each) });

    await client.request({ method: 'GET', path: '/x' }).catch(() => undefined);

    const { host } = new URL(server.config.server);
    expect(exchanges).toEqual([
      { method: 'GET', host, code: '<error>', durationMs: expect.any(Number) },
      { method: 'GET', host, code: '404', durationMs: expect.any(Number) },
    ]);
  });
});

describe('answers', () => {
  it('that are not JSON are an error with a code', async () => {
    await using server = await startFakeServer((_request, response) => void response.end('<html>'));
    await using client = clientOf(server.config);

    await expect(client.request({ method: 'GET', path: '/x' })).rejects.toMatchObject({ code: 'bad-answer' });
  });

  it('with an odd name are read all the same', async () => {
    await using server = await startFakeServer((_request, response) => {
      response.end('{"metadata":{"name":"a"},"data":{"__proto__":"x"}}');
    });
    await using client = clientOf(server.config);

    const object = await client.resource(machines).get('a');

    expect(Object.entries(Reflect.get(object, 'data'))).toEqual([['__proto__', 'x']]);
    expect(Object.getPrototypeOf(Reflect.get(object, 'data'))).toBe(Object.prototype);
  });
});

function access(certificate: string): TlsAccess {
  return { authority: undefined, certificate, key: undefined };
}

const watchRequest = { method: 'GET', path: '/x', query: new URLSearchParams({ watch: 'true' }) } as const;

const plainConfig: Omit<KubeConfig, 'server'> = {
  tls: { isInsecure: false },
  identity: { kind: 'anonymous' },
  namespace: 'default',
};

function clientOf(config: KubeConfig, options: Partial<TransportOptions> = {}): KubeClient {
  return new KubeClient({ config, userAgent: 'test/1', maxAttempts: 1, ...options });
}

/** A server that accepts connections and says nothing. */
async function startSilentServer(): Promise<AsyncDisposable & { readonly config: KubeConfig }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    config: { ...plainConfig, server: `http://127.0.0.1:${portOf(server)}` },
    [Symbol.asyncDispose]: () => closeServer(server, sockets),
  };
}

async function closeServer(server: Server, sockets: Iterable<Socket>): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await once(server.close(), 'close');
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  await once(server.close(), 'close');
  return port;
}

function portOf(server: Server): number {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on an address, not on a path
  return (server.address() as AddressInfo).port;
}
