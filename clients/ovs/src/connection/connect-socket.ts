import { open } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { connect as connectTls } from 'node:tls';

import { type Clock, systemClock } from './clock.ts';
import { explainConnectFailure } from './explain-connect-failure.ts';
import { type OvsEndpoint, printEndpoint } from './parse-remote.ts';
import { readTlsFiles, type TlsFiles } from './tls-files.ts';
import { withDeadline } from './with-deadline.ts';

/** How long connecting may take, and by which certificates. */
export interface ConnectOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly tls?: TlsFiles | undefined;
  readonly clock?: Clock;
}

/** The kernel takes no longer path for a socket. */
const MAX_SOCKET_PATH_BYTES = 107;

/** Connects to a daemon, TLS handshake included. The socket belongs to the caller, who listens to its errors. */
export async function connectSocket(endpoint: OvsEndpoint, options: ConnectOptions): Promise<Socket> {
  const { clock = systemClock, timeoutMs, signal } = options;
  const remote = printEndpoint(endpoint);
  const opening = openSocket(endpoint, options);
  try {
    return await withDeadline(opening.connected, { clock, timeoutMs, signal, what: `no connection to ${remote}` });
  } catch (error) {
    opening.giveUp();
    throw explainConnectFailure(remote, error);
  }
}

interface Opening {
  readonly connected: Promise<Socket>;
  /** Closes the socket, now or as soon as there is one. */
  readonly giveUp: () => void;
}

function openSocket(endpoint: OvsEndpoint, options: ConnectOptions): Opening {
  let socket: Socket | undefined;
  let isGivenUp = false;
  const follow = (started: Socket): void => {
    socket = started;
    if (isGivenUp) started.destroy();
  };
  const connected = start(endpoint, options, follow);
  // After the deadline nobody waits for it any more, and its failure was told as that of the deadline.
  connected.catch(() => undefined);
  const giveUp = (): void => {
    isGivenUp = true;
    socket?.destroy();
  };
  return { connected, giveUp };
}

function start(endpoint: OvsEndpoint, options: ConnectOptions, follow: (socket: Socket) => void): Promise<Socket> {
  switch (endpoint.kind) {
    case 'unix':
      return connectUnix(endpoint.path, follow);
    case 'tcp':
      return untilEvent(connect({ host: endpoint.host, port: endpoint.port, noDelay: true }), 'connect', follow);
    case 'ssl':
      return connectEncrypted(endpoint, options.tls, follow);
  }
}

async function connectUnix(path: string, follow: (socket: Socket) => void): Promise<Socket> {
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return untilEvent(connect({ path }), 'connect', follow);
  await using directory = await open(dirname(path), 'r');
  return await untilEvent(connect({ path: `/proc/self/fd/${directory.fd}/${basename(path)}` }), 'connect', follow);
}

async function connectEncrypted(
  endpoint: OvsEndpoint & { readonly kind: 'tcp' | 'ssl' },
  files: TlsFiles | undefined,
  follow: (socket: Socket) => void,
): Promise<Socket> {
  const credentials = await readTlsFiles(files);
  const socket = connectTls({
    host: endpoint.host,
    port: endpoint.port,
    ...credentials,
    ...(files?.serverName === undefined
      ? // The certificates that OVS makes carry no host names: whoever the authority vouches for is the server.
        { checkServerIdentity: () => undefined }
      : { servername: files.serverName }),
  });
  socket.setNoDelay(true);
  return untilEvent(socket, 'secureConnect', follow);
}

async function untilEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  follow: (socket: Socket) => void,
): Promise<Socket> {
  follow(socket);
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const onConnected = (): void => resolve(socket);
  const onClosed = (): void => reject(new Error('the other side closed the connection'));
  socket.once(event, onConnected).once('error', reject).once('close', onClosed);
  try {
    return await promise;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    socket.off(event, onConnected).off('error', reject).off('close', onClosed);
  }
}
