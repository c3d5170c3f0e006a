import { once } from 'node:events';
import type { Server } from 'node:https';
import { isIPv6, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { SecureContextOptions } from 'node:tls';

import { feedByEvents, messageOf } from '@smalt/service-runtime';

import { NodeServiceError } from './node-service-error.ts';

/** How long an answer may take to be read once the agent stops. */
const DRAIN_MS = 1_000;
/** Slow senders are cut off: a head within 10 s, all of a request within 20 s. */
const LIMITS = {
  handshakeTimeout: 10_000,
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 10_000,
  maxHeaderSize: 16_384,
};

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** A server that listens. Disposing of it ends what is under way after a moment. */
export interface TlsListener extends AsyncDisposable {
  readonly server: Server;
  readonly port: number;
}

interface ListenLimits {
  readonly mostConnections: number;
  /** The section of the settings, for messages. */
  readonly setting: string;
  /** How long the head of a request may be; 16 KiB unless told otherwise. */
  readonly mostHeadBytes?: number;
  /** How long callers that keep a connection are waited for at the end, to be told that they need another one; not at all unless told otherwise. */
  readonly farewellMs?: number;
  /** How long a connection is kept that nobody asks anything on; 10 s unless told otherwise. */
  readonly idleMs?: number;
}

/**
 * Reads `0.0.0.0:9443`, `:9443`, `[::1]:9443` or `::1:9443`, of which the last is what `$(HOST_IP):9443` becomes; what it
 * cannot read is refused by the name of the setting.
 */
export function parseListen(text: string, setting: string): ListenAddress {
  const pattern = /^(?:\[(?<six>[0-9a-fA-F:.]*)\]|(?<host>[^[\]]*)):(?<port>\d{1,5})$/;
  const { six, host = '', port = '' } = pattern.exec(text)?.groups ?? {};
  if (port === '' || Number(port) > 65_535 || (host.includes(':') && !isIPv6(host))) {
    const next = 'give an address and a port such as 0.0.0.0:9443';
    throw new NodeServiceError('bad-setting', `${setting}.listen: ${JSON.stringify(text)} is no address: ${next}`);
  }
  const given = six ?? host;
  return { host: given === '' ? '::' : given, port: Number(port) };
}

/** The host that others reach the service by. */
export function advertisedHost(advertise: string, { host }: ListenAddress): string {
  if (advertise !== '') return advertise;
  if (host !== '::' && host !== '0.0.0.0') return host;
  const addresses = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  const outside = addresses.filter(({ internal, address }) => !internal && !address.startsWith('fe80:'));
  const first = outside.find(({ family }) => family === 'IPv4') ?? outside[0];
  return first?.address ?? '127.0.0.1';
}

export function urlOf(host: string, port: number): string {
  return `https://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Makes the server and listens. */
export async function listenTls(
  context: SecureContextOptions,
  address: ListenAddress,
  { mostConnections, setting, mostHeadBytes, idleMs, farewellMs = 0 }: ListenLimits,
): Promise<TlsListener> {
  // Not imported: that would read every export of the module, and one of them loads a second HTTP client, 10 MiB.
  const { createServer } = process.getBuiltinModule('node:https');
  const limits = {
    ...LIMITS,
    maxHeaderSize: mostHeadBytes ?? LIMITS.maxHeaderSize,
    keepAliveTimeout: idleMs ?? LIMITS.keepAliveTimeout,
  };
  const server = createServer({ ...context, ...limits, requestCert: true, rejectUnauthorized: false });
  feedByEvents(server);
  server.maxConnections = mostConnections;
  const sockets = followSockets(server);
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (error) {
    const message = `${setting}.listen: ${address.host}:${address.port} cannot be listened on (${messageOf(error)}): give another`;
    throw new NodeServiceError('cannot-listen', message, { cause: error });
  }
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : address.port;
  return {
    server,
    port,
    [Symbol.asyncDispose]: async () => {
      if (farewellMs > 0) await sayFarewell(server, sockets, farewellMs);
      await close(server, sockets);
    },
  };
}

/** The connections as they are opened: the server itself knows only those that have shaken hands. */
function followSockets(server: Server): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return sockets;
}

/**
 * Goes on answering for a while, each answer being the last of its connection. A caller whose connection is shut while it sends
 * cannot know whether it was heard, and many do not ask again.
 */
async function sayFarewell(server: Server, sockets: ReadonlySet<Socket>, mostMs: number): Promise<void> {
  server.prependListener('request', (_request, response) => {
    response.shouldKeepAlive = false;
  });
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const late = setTimeout(resolve, mostMs);
  const all = [...sockets].map((socket) => new Promise((closed) => void socket.once('close', closed)));
  void Promise.all(all).then(() => resolve());
  await over;
  clearTimeout(late);
}

async function close(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const late = setTimeout(() => {
    for (const socket of sockets) socket.destroy();
  }, DRAIN_MS);
  await closed;
  clearTimeout(late);
}
