import { once } from 'node:events';
import { spawn } from 'node:child_process';
import dns from 'node:dns';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { startTestDaemon, type Certificates, type TestDaemon } from '@smalt/bed-libvirt';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { connect as connectLibvirt } from '../connect.ts';
import { openTransport, type OpenTransportOptions } from './open-transport.ts';
import { parseLibvirtUri } from './parse-uri.ts';

let daemon: TestDaemon;
let certificates: Certificates;

beforeAll(async () => {
  daemon = await startTestDaemon({ tls: true });
  if (!daemon.certificates) throw new Error('the daemon has no certificates');
  certificates = daemon.certificates;
});

afterAll(async () => {
  await daemon[Symbol.asyncDispose]();
});

describe('openTransport to a real daemon', () => {
  it('speaks over TCP', async () => {
    const socket = await open(daemon.uri);

    expect(await askAuthTypes(socket)).toEqual([0]);
  });

  it('reaches a host name of which only one address answers, and reads replies of any size from there', async () => {
    // Nobody listens on the first address, so Node.js goes on with a second socket under the same object.
    const addresses = ['127.0.0.2', '127.0.0.1'].map((address) => ({ address, family: 4 }));
    const lookup = vi.spyOn(dns, 'lookup').mockImplementation((...args: unknown[]) => {
      const callback = args.at(-1);
      if (typeof callback === 'function') callback(null, addresses);
    });

    await using connection = await connectLibvirt(`test+tcp://two-addresses.test:${daemon.port}/default`);
    lookup.mockRestore();

    expect(await connection.connectGetType()).toBe('TEST');
    expect((await connection.connectGetCapabilities()).length).toBeGreaterThan(2048);
  });

  it('speaks over a unix socket, and takes the second path when the first does not exist', async () => {
    const target = {
      endpoint: { kind: 'unix' as const, socketPaths: ['/run/does-not-exist/virttestd-sock', daemon.socketPath] },
      driverUri: 'test:///default',
    };

    const socket = await openTransport(target, { signal: AbortSignal.timeout(10_000) });

    expect(await askAuthTypes(socket)).toEqual([0]);
  });

  it('hands what comes in without TLS to whoever wants it', async () => {
    const received = Promise.withResolvers<number>();
    const socket = await open(daemon.uri, { onBytes: (bytes) => received.resolve(bytes.readUInt32BE(0)) });

    socket.write(authListCall());
    socket.resume();

    expect(await received.promise).toBe(36);
    socket.destroy();
  });

  it('speaks over TLS with the certificates in the folder that the URI names', async () => {
    const socket = await open(tlsUri(certificates.path));

    expect(await askAuthTypes(socket)).toEqual([0]);
  });

  it('speaks over TLS with certificates that the caller holds in memory', async () => {
    const socket = await open(`test+tls://127.0.0.1:${daemon.tlsPort}/default`, {
      tls: await pemFiles(certificates.path),
    });

    expect(await askAuthTypes(socket)).toEqual([0]);
  });

  it('does not trust a daemon of another certificate authority', async () => {
    const opening = open(tlsUri(certificates.distrustingPath));

    await expect(opening).rejects.toMatchObject({
      code: 'connect-failed',
      message: expect.stringContaining('another certificate authority than cacert.pem'),
    });
  });

  it('trusts any daemon when the URI says no_verify', async () => {
    const socket = await open(`${tlsUri(certificates.distrustingPath)}&no_verify=1`);

    expect(await askAuthTypes(socket)).toEqual([0]);
  });

  it('says that the daemon does not accept a client certificate of an unknown authority', async () => {
    const opening = open(tlsUri(certificates.strangerPath));

    await expect(opening).rejects.toMatchObject({
      code: 'authentication',
      message: expect.stringContaining('client certificate'),
    });
  });

  it('says that the daemon wants a client certificate when none is given', async () => {
    const { ca } = await pemFiles(certificates.path);

    const opening = open(`test+tls://127.0.0.1:${daemon.tlsPort}/default`, { tls: { ca } });

    await expect(opening).rejects.toMatchObject({
      code: 'authentication',
      message: expect.stringContaining('client certificate'),
    });
  });

  it('names the file that is missing', async () => {
    const opening = open(tlsUri('/does/not/exist'));

    await expect(opening).rejects.toMatchObject({
      code: 'connect-failed',
      message: expect.stringMatching(/\/does\/not\/exist\/(cacert|clientcert)\.pem: no such file/),
    });
  });

  it('says so when a certificate is no PEM', async () => {
    const { cert, key } = await pemFiles(certificates.path);

    const opening = open(tlsUri(certificates.path), { tls: { ca: 'not a certificate', cert, key } });

    await expect(opening).rejects.toMatchObject({ code: 'connect-failed' });
  });

  it('refuses a certificate without its key', async () => {
    const { ca, cert } = await pemFiles(certificates.path);

    const opening = open(tlsUri(certificates.path), { tls: { ca, cert } });

    await expect(opening).rejects.toMatchObject({ message: expect.stringContaining('options.tls.key') });
  });

  it('checks the name in the certificate of the daemon, and lets the caller say which one it should be', async () => {
    await using elsewhere = await startTestDaemon({ tls: 'wrong-host' });
    const uri = elsewhere.tlsUri ?? '';

    await expect(open(uri)).rejects.toMatchObject({
      code: 'connect-failed',
      message: expect.stringContaining('is for another host name'),
    });
    const socket = await open(uri, { tls: { serverName: 'elsewhere.example' } });

    expect(await askAuthTypes(socket)).toEqual([0]);
  });
});

describe('openTransport and the byte behind the TLS handshake', () => {
  it.each([
    ['in one piece', (socket: Socket) => void socket.write(Buffer.from('\u0001RPC', 'latin1'))],
    [
      'in two pieces',
      (socket: Socket) => void socket.write(Buffer.from([1]), () => setImmediate(() => socket.write('RPC'))),
    ],
  ])('keeps the bytes that come after it, %s', async (_how, answer) => {
    await using server = await tlsServer(answer);

    const socket = await open(server.uri);
    const [bytes] = await once(socket, 'data');

    expect(String(bytes)).toBe('RPC');
    socket.destroy();
  });

  it.each([
    ['a zero', (socket: Socket) => void socket.write(Buffer.from([0])), 'answered 0 instead of 1'],
    ['the end', (socket: Socket) => void socket.end(), 'closed the connection'],
  ])('takes %s for a refusal', async (_what, answer, message) => {
    await using server = await tlsServer(answer);

    const opening = open(server.uri);

    await expect(opening).rejects.toMatchObject({ code: 'authentication', message: expect.stringContaining(message) });
  });

  it('gives up on a daemon that says nothing after the handshake', async () => {
    await using server = await tlsServer(() => undefined);

    const opening = connectLibvirt(server.uri, { connectTimeoutMs: 200 });

    await expect(opening).rejects.toMatchObject({ code: 'connect-timeout' });
  });
});

describe('openTransport when nothing good answers', () => {
  it('names the address and the next step when nothing listens', async () => {
    const port = await unusedPort();

    const opening = open(`test+tcp://127.0.0.1:${port}/default`);

    await expect(opening).rejects.toMatchObject({
      code: 'connect-failed',
      message: expect.stringMatching(new RegExp(`tcp 127.0.0.1:${port}: nothing listens there.*ECONNREFUSED`)),
      cause: expect.objectContaining({ code: 'ECONNREFUSED' }),
    });
  });

  it('names both sockets when neither exists', async () => {
    const target = {
      endpoint: { kind: 'unix' as const, socketPaths: ['/run/none/a-sock', '/run/none/b-sock'] },
      driverUri: '',
    };

    const opening = openTransport(target, { signal: AbortSignal.timeout(10_000) });

    await expect(opening).rejects.toMatchObject({
      code: 'connect-failed',
      message: expect.stringContaining('unix /run/none/a-sock or /run/none/b-sock: the socket does not exist'),
    });
  });

  it('gives up on a handshake that nobody answers', async () => {
    await using silent = await listen(createServer());

    const opening = connectLibvirt(`test+tls://127.0.0.1:${silent.port}/default?pkipath=${certificates.path}`, {
      connectTimeoutMs: 200,
    });

    await expect(opening).rejects.toMatchObject({
      code: 'connect-timeout',
      message: expect.stringContaining(`tls 127.0.0.1:${silent.port} did not answer within 200 ms`),
    });
  });

  it('gives up on a TCP connection that never comes up, as into a cut network', async () => {
    await using full = await fullListener();

    const opening = connectLibvirt(`test+tcp://127.0.0.1:${full.port}/default`, { connectTimeoutMs: 300 });

    await expect(opening).rejects.toMatchObject({ code: 'connect-timeout' });
  });

  it('ends at once when its signal fires', async () => {
    await using silent = await listen(createServer());
    const controller = new AbortController();
    const reason = new Error('changed my mind');

    const opening = connectLibvirt(`test+tls://127.0.0.1:${silent.port}/default?pkipath=${certificates.path}`, {
      signal: controller.signal,
    });
    setImmediate(() => controller.abort(reason));

    await expect(opening).rejects.toMatchObject({ code: 'aborted', cause: reason });
  });

  it('does not begin when its signal has fired before', async () => {
    const opening = connectLibvirt(daemon.uri, { signal: AbortSignal.abort() });

    await expect(opening).rejects.toMatchObject({ code: 'aborted' });
  });
});

function open(uri: string, options: Partial<OpenTransportOptions> = {}): Promise<Socket> {
  return openTransport(parseLibvirtUri(uri), { signal: AbortSignal.timeout(20_000), ...options });
}

function tlsUri(pkiPath: string): string {
  return `test+tls://127.0.0.1:${daemon.tlsPort}/default?pkipath=${pkiPath}`;
}

async function pemFiles(path: string): Promise<{ ca: Buffer; cert: Buffer; key: Buffer }> {
  const [ca, cert, key] = await Promise.all(
    ['cacert.pem', 'clientcert.pem', 'clientkey.pem'].map((name) => readFile(`${path}/${name}`)),
  );
  return { ca: ca ?? Buffer.alloc(0), cert: cert ?? Buffer.alloc(0), key: key ?? Buffer.alloc(0) };
}

/** Makes the first call of every libvirt client, AUTH_LIST, byte by byte. */
async function askAuthTypes(socket: Socket): Promise<number[]> {
  let reply = Buffer.alloc(0);
  socket.write(authListCall());
  socket.resume();
  while (reply.length < 4 || reply.length < reply.readUInt32BE(0)) {
    const [chunk] = await once(socket, 'data');
    reply = Buffer.concat([reply, chunk as Buffer]);
  }
  socket.destroy();
  const count = reply.readUInt32BE(28);
  return Array.from({ length: count }, (_, index) => reply.readUInt32BE(32 + index * 4));
}

function authListCall(): Buffer {
  const call = Buffer.alloc(28);
  [28, 0x20008086, 1, 66, 0, 1, 0].forEach((word, index) => call.writeUInt32BE(word, index * 4));
  return call;
}

interface Listener extends AsyncDisposable {
  readonly port: number;
}

async function listen(server: Server): Promise<Listener> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

async function tlsServer(answer: (socket: Socket) => void): Promise<AsyncDisposable & { readonly uri: string }> {
  const [cert, key] = await Promise.all(
    ['servercert.pem', 'serverkey.pem'].map((name) => readFile(`${certificates.path}/${name}`)),
  );
  const server = createTlsServer({ cert: cert ?? '', key: key ?? '' }, (socket) => {
    socket.on('error', () => undefined);
    answer(socket);
  });
  const listener = await listen(server);
  return {
    uri: `test+tls://127.0.0.1:${listener.port}/default?pkipath=${certificates.path}`,
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  };
}

/** A listener that is stopped and whose queue is full: the kernel drops every further SYN, as a cut network does. */
async function fullListener(): Promise<Listener> {
  const program =
    "require('net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, function () { console.log(this.address().port) })";
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  const port = Number(String(line));
  child.kill('SIGSTOP');
  const fillers = Array.from({ length: 4 }, () => connect({ port, host: '127.0.0.1' }).on('error', () => undefined));
  await Promise.all(fillers.slice(0, 2).map((filler) => once(filler, 'connect')));
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      for (const filler of fillers) filler.destroy();
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function unusedPort(): Promise<number> {
  const listener = await listen(createServer());
  await listener[Symbol.asyncDispose]();
  return listener.port;
}
