import { connect as connectNet, isIP, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import { once } from 'node:events';
import { LibvirtError } from '../libvirt-error.ts';
import { explainConnectFailure } from './explain-connect-failure.ts';
import { describeEndpoint, type LibvirtEndpoint, type LibvirtTarget } from './libvirt-target.ts';
import { readTlsCredentials, type TlsCredentials, type TlsOptions } from './tls-credentials.ts';

const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;
/** What the daemon sends first when it accepts a TLS client. */
const TLS_ACCEPTED = 1;

type TlsEndpoint = Extract<LibvirtEndpoint, { kind: 'tls' }>;

/** How long a connection may take to come up, and what it is protected with. */
export interface OpenTransportOptions {
  readonly signal: AbortSignal;
  /** Everything up to the first usable byte, 10 s unless told. A cut network answers nothing at all. */
  readonly connectTimeoutMs?: number;
  readonly tls?: TlsOptions;
}

/**
 * Opens the socket to a daemon: connected, encrypted where the target says so, and ready for the first RPC message.
 * The socket is paused. It may already be lost again: look at `socket.destroyed` when attaching listeners.
 */
export async function openTransport(target: LibvirtTarget, options: OpenTransportOptions): Promise<Socket> {
  const { endpoint } = target;
  const timeoutMs = options.connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS;
  if (options.signal.aborted) throw givenUp(endpoint, options.signal);
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  const signal = AbortSignal.any([options.signal, deadline.signal]);
  try {
    return await openEndpoint(endpoint, options.tls ?? {}, signal);
  } catch (error) {
    if (options.signal.aborted) throw givenUp(endpoint, options.signal);
    if (deadline.signal.aborted) throw timedOut(endpoint, timeoutMs, error);
    throw explainConnectFailure(endpoint, error);
  } finally {
    clearTimeout(timer);
  }
}

function openEndpoint(endpoint: LibvirtEndpoint, tls: TlsOptions, signal: AbortSignal): Promise<Socket> {
  if (endpoint.kind === 'unix') return openUnix(endpoint.socketPaths, signal);
  if (endpoint.kind === 'tls') return openTls(endpoint, tls, signal);
  const { host, port } = endpoint;
  return openSocket(() => connectNet({ host, port, noDelay: true }), 'connect', signal);
}

async function openUnix(socketPaths: readonly string[], signal: AbortSignal): Promise<Socket> {
  const [path = '', ...others] = socketPaths;
  try {
    return await openSocket(() => connectNet({ path }), 'connect', signal);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing || others.length === 0) throw error;
    return openUnix(others, signal);
  }
}

async function openTls(endpoint: TlsEndpoint, options: TlsOptions, signal: AbortSignal): Promise<Socket> {
  const credentials = await readTlsCredentials(endpoint.pkiPath, endpoint.verify, options);
  const name = options.serverName ?? endpoint.host;
  const socket = await openSocket(() => startTls(endpoint, name, credentials), 'secureConnect', signal);
  try {
    await expectAcceptance(endpoint, socket, signal);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

function startTls(endpoint: TlsEndpoint, name: string, credentials: TlsCredentials): Socket {
  const socket = connectTls({
    host: endpoint.host,
    port: endpoint.port,
    rejectUnauthorized: endpoint.verify,
    checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
    // An address is no server name in TLS.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    ...credentials,
  });
  return socket.setNoDelay(true);
}

async function openSocket(
  start: () => Socket,
  ready: 'connect' | 'secureConnect',
  signal: AbortSignal,
): Promise<Socket> {
  const socket = start();
  // Stays for good: an error in the tick in which the socket changes hands would otherwise end the process.
  socket.on('error', () => undefined);
  try {
    await once(socket, ready, { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}

// With TLS 1.3 the handshake is over here before the daemon has looked at the client certificate. Its verdict is one
// byte, and the bytes behind that one belong to the RPC.
async function expectAcceptance(endpoint: TlsEndpoint, socket: Socket, signal: AbortSignal): Promise<void> {
  const verdict = await readByte(socket, signal);
  if (verdict === TLS_ACCEPTED) return;
  const what = verdict === undefined ? 'closed the connection' : `answered ${verdict} instead of 1`;
  throw new LibvirtError(
    'authentication',
    `${describeEndpoint(endpoint)}: the daemon ${what} after the TLS handshake: ` +
      'it does not accept the client certificate, or none was sent; check clientcert.pem and tls_allowed_dn_list',
  );
}

async function readByte(socket: Socket, signal: AbortSignal): Promise<number | undefined> {
  for (;;) {
    const byte: unknown = socket.read(1);
    if (byte instanceof Uint8Array) return byte[0];
    if ((await nextInput(socket, signal)) === 'over') return undefined;
  }
}

function nextInput(socket: Socket, signal: AbortSignal): Promise<'readable' | 'over'> {
  const { promise, resolve, reject } = Promise.withResolvers<'readable' | 'over'>();
  const readable = (): void => resolve('readable');
  const over = (): void => (socket.errored ? reject(socket.errored) : resolve('over'));
  const aborted = (): void => reject(signal.reason);
  socket.on('readable', readable).on('end', over).on('close', over);
  signal.addEventListener('abort', aborted);
  if (signal.aborted) aborted();
  if (socket.destroyed) over();
  return promise.finally(() => {
    socket.off('readable', readable).off('end', over).off('close', over);
    signal.removeEventListener('abort', aborted);
  });
}

function timedOut(endpoint: LibvirtEndpoint, timeoutMs: number, cause: unknown): LibvirtError {
  const message =
    `${describeEndpoint(endpoint)} did not answer within ${timeoutMs} ms: ` +
    'check that the host is up, that no firewall drops the packets, and that a libvirt daemon listens there';
  return new LibvirtError('connect-timeout', message, { cause });
}

function givenUp(endpoint: LibvirtEndpoint, signal: AbortSignal): LibvirtError {
  return new LibvirtError('aborted', `connecting to ${describeEndpoint(endpoint)} was given up`, {
    cause: signal.reason,
  });
}
