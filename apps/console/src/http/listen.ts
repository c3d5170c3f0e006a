import { once } from 'node:events';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

import { feedByEvents, messageOf } from '@smalt/service-runtime';
import type { FiledCertificate } from '@smalt/serving-certificate';

import { ConsoleError } from '../console-error.ts';

/** Slow senders are cut off: a head within 10 s, all of a request within 60 s. */
const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 30_000,
  maxHeaderSize: 16_384,
};
/** How long what is under way may take once the console stops. */
const DRAIN_MS = 900;

/** A server that listens. Disposing of it ends whatever is under way within a second. */
export interface Listener extends AsyncDisposable {
  readonly server: Server;
  readonly port: number;
}

export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  /** Plain HTTP without one. */
  readonly certificate?: FiledCertificate | undefined;
  readonly mostConnections: number;
}

/** Listens; what keeps it from that is refused by the name of the setting. */
export async function listen({ host, port, certificate, mostConnections }: ListenOptions): Promise<Listener> {
  const server = makeServer(certificate);
  server.maxConnections = mostConnections;
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const message = `listen: ${host}:${port} cannot be listened on (${messageOf(error)}): give another address or port`;
    throw new ConsoleError('cannot-listen', message, { cause: error });
  }
  const bound = server.address();
  const actual = typeof bound === 'object' && bound !== null ? bound.port : port;
  return { server, port: actual, [Symbol.asyncDispose]: () => close(server, sockets) };
}

function makeServer(certificate: ListenOptions['certificate']): Server {
  if (certificate === undefined) return process.getBuiltinModule('node:http').createServer(TIMES);
  const { createServer } = process.getBuiltinModule('node:https');
  const limits = { ...TIMES, minVersion: 'TLSv1.2', handshakeTimeout: TIMES.headersTimeout } as const;
  const server = createServer({ ...limits, cert: certificate.certificate, key: certificate.key });
  feedByEvents(server);
  return server;
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
