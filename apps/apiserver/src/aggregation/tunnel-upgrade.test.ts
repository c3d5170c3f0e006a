import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { connect, createServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { UpgradeCall } from '../http/upgrade-handler.ts';
import { startStandIn, type StandIn } from './fixtures/https-stand-in.ts';
import { tunnelUpgrade, type TunneledRequest } from './tunnel-upgrade.ts';

const NOWHERE = { host: '127.0.0.1', port: 1, serverName: 'localhost', ca: undefined, isInsecure: false };
let backend: StandIn;
let received: string;
/** Resolves when the backend has lost its connection. */
let gone: Promise<void>;
let reply: (socket: Duplex, headers: IncomingHttpHeaders) => void;

beforeEach(async () => {
  backend = await startStandIn({ names: ['localhost'], handle: (_request, response) => response.end() });
  received = '';
  const lost = Promise.withResolvers<void>();
  gone = lost.promise;
  backend.server.on('upgrade', (request, socket, head) => {
    received += head.toString();
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    socket.on('error', () => lost.resolve());
    socket.once('close', () => lost.resolve());
    reply(socket, request.headers);
  });
});

afterEach(async () => {
  await backend[Symbol.asyncDispose]();
});

describe('a tunnel', () => {
  it('carries nothing to a server that answered but did not switch, even if that keeps the connection', async () => {
    reply = (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-From: there\r\n\r\nok');
    await using client = await openClient();
    client.near.write('GET /secret HTTP/1.1\r\n\r\n');

    const codes: number[] = [];
    const tunnel = tunnelUpgrade(
      callOf(client.far, { head: 'ahead', started: (code) => codes.push(code) }),
      tunneled(),
    );
    client.near.write('GET /other HTTP/1.1\r\n\r\n');
    await Promise.all([tunnel, gone, client.ended]);

    expect({ received, codes }).toEqual({ received: '', codes: [200] });
    expect(client.text()).toBe('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx-from: there\r\nconnection: close\r\n\r\nok');
  });

  it('carries every byte once the server has switched, those first that came ahead', async () => {
    reply = (socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
      socket.on('data', (chunk: Buffer) => socket.end(chunk));
    };
    await using client = await openClient();

    await tunnelUpgrade(callOf(client.far, { head: 'ahead' }), tunneled());
    await client.ended;

    expect(received).toBe('ahead');
    expect(client.text()).toBe('HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: echo\r\n\r\nahead');
  });

  it('announces no body, and lets the client name no header that a proxy should take out', async () => {
    let seen: IncomingHttpHeaders = {};
    reply = (socket, headers) => {
      seen = headers;
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    };
    await using client = await openClient();
    const given = { connection: 'Upgrade, X-Remote-Group', 'X-Remote-Group': 'staff', 'content-length': '5' };

    await tunnelUpgrade(callOf(client.far, {}), { ...tunneled(), headers: { ...given, upgrade: 'echo' } });

    expect(seen).toEqual({
      host: expect.any(String) as unknown,
      connection: 'Upgrade',
      upgrade: 'echo',
      'x-remote-group': 'staff',
    });
  });

  it('cuts off an answer that does not end', async () => {
    reply = (socket) => socket.write(`HTTP/1.1 403 Forbidden\r\n\r\n${'x'.repeat(100_000)}`);
    await using client = await openClient();

    await Promise.all([tunnelUpgrade(callOf(client.far, {}), tunneled()), gone, client.ended]);

    expect(client.text()).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n[^]*\r\n\r\nx{65536}$/);
  });

  it.each([
    [
      'that leads elsewhere',
      'HTTP/1.1 302 Found\r\nLocation: https://elsewhere\r\n\r\n',
      'the backend attempted to redirect this request',
    ],
    [
      'that names no protocol',
      'HTTP/1.1 101 Switching Protocols\r\n\r\n',
      'the backend answered an upgrade with 101 and no protocol',
    ],
    [
      'whose head is too long',
      `HTTP/1.1 101 Switching Protocols\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`,
      'error trying to reach service',
    ],
  ])('refuses an answer %s', async (_what, head, message) => {
    reply = (socket) => socket.write(head);
    await using client = await openClient();

    await expect(tunnelUpgrade(callOf(client.far, {}), tunneled())).rejects.toThrow(message);
    await gone;
  });

  it('gives up on a server that does not answer', async () => {
    reply = () => undefined;
    await using client = await openClient();

    const tunnel = tunnelUpgrade(callOf(client.far, {}), { ...tunneled(), answerTimeoutMs: 50 });

    await expect(tunnel).rejects.toThrow('error trying to reach service: context deadline exceeded');
    await gone;
  });

  it.each(['admin\r\nX-Remote-Group: system:masters', 'admin\nx: y', 'a\u0000b'])(
    'refuses to pass on a header that would become more than one: %j',
    async (name) => {
      await using client = await openClient();
      const target = { ...NOWHERE, cert: '', key: '' };

      const tunnel = tunnelUpgrade(callOf(client.far, {}), { path: '/', headers: { 'X-Remote-User': name }, target });

      await expect(tunnel).rejects.toThrow('the header X-Remote-User cannot be passed on');
    },
  );
});

function tunneled(): TunneledRequest {
  const headers = { connection: 'Upgrade', upgrade: 'echo' };
  const target = { ...NOWHERE, port: backend.port, ca: backend.ca, cert: '', key: '' };
  return { path: '/', headers, target };
}

interface Client extends AsyncDisposable {
  /** The end that the client holds. */
  readonly near: Socket;
  /** The end that the server holds. */
  readonly far: Socket;
  readonly ended: Promise<unknown>;
  text(): string;
}

async function openClient(): Promise<Client> {
  const server = createServer({ pauseOnConnect: false });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const near = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
  const [far] = (await once(server, 'connection')) as [Socket];
  let text = '';
  near.on('data', (chunk: Buffer) => (text += chunk.toString()));
  // The other end may close while something is under way to it.
  near.on('error', () => near.destroy());
  return {
    near,
    far,
    ended: new Promise((resolve) => near.once('close', resolve)),
    text: () => text,
    [Symbol.asyncDispose]: async () => {
      near.destroy();
      far.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function callOf(
  socket: Duplex,
  { head = '', started }: { head?: string; started?: (code: number) => void },
): UpgradeCall {
  const signal = AbortSignal.timeout(10_000);
  const call = { request: { method: 'GET' }, socket, head: Buffer.from(head), signal, started };
  return call as unknown as UpgradeCall;
}
