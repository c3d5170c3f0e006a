import { connect as connectNet, isIP, type OnReadOpts, type Socket } from 'node:net';
import { checkServerIdentity, connect as connectTls } from 'node:tls';
import { once } from 'node:events';
import { LibvirtError } from '../libvirt-error.ts';
import { explainConnectFailure } from './explain-connect-failure.ts';
import { describeEndpoint, type LibvirtEndpoint, type LibvirtTarget } from './libvirt-target.ts';
import { readTlsCredentials, type TlsCredentials, type TlsOptions } from './tls-credentials.ts';

const FIRST_READ_BYTES = 2048;
const READ_BYTES = 65_536;
/** What the daemon sends first when it accepts a TLS client. */
const TLS_ACCEPTED = 1;

type TlsEndpoint = Extract<LibvirtEndpoint, { kind: 'tls' }>;

/** What a connection is protected with, and who takes what comes in. */
export interface OpenTransportOptions {
  /** Ends the wait. A cut network answers nothing at all, so there should be a time limit in it. */
  readonly signal: AbortSignal;
  readonly tls?: TlsOptions | undefined;
  /**
   * Takes what a socket without TLS receives, in place of its `data` events. The bytes are good during the call only:
   * all reads share one buffer, which saves a quarter of the work of a small call.
   */
  readonly onBytes?: ((bytes: Buffer) => void) | undefined;
}

/**
 * Opens the socket to a daemon: connected, encrypted where the target says so, and ready for the first RPC message.
 * The socket is paused. It may already be lost again: look at `socket.destroyed` when attaching listeners.
 */
export async function openTransport(target: LibvirtTarget, options: OpenTransportOptions): Promise<Socket> {
  const { endpoint } = target;
  try {
    options.signal.throwIfAborted();
    return await openEndpoint(endpoint, options);
  } catch (error) {
    if (options.signal.aborted) throw options.signal.reason;
    throw explainConnectFailure(endpoint, error);
  }
}

function openEndpoint(endpoint: LibvirtEndpoint, options: OpenTransportOptions): Promise<Socket> {
  const { signal, onBytes } = options;
  if (endpoint.kind === 'tls') return openTls(endpoint, options.tls ?? {}, signal);
  const reading = onBytes === undefined ? {} : { onread: readInto(onBytes) };
  if (endpoint.kind === 'unix') return openUnix(endpoint.socketPaths, reading, signal);
  const { host, port } = endpoint;
  return openSocket(() => connectNet({ host, port, noDelay: true, ...reading }), 'connect', signal);
}

// Most connections never receive more than a small reply at a time, so the buffer starts small and grows once, when it
// is found full.
function readInto(onBytes: (bytes: Buffer) => void): OnReadOpts {
  let buffer = Buffer.allocUnsafe(FIRST_READ_BYTES);
  return {
    buffer: () => buffer,
    callback: (length) => {
      onBytes(buffer.subarray(0, length));
      if (length === FIRST_READ_BYTES) buffer = Buffer.allocUnsafeSlow(READ_BYTES);
      return true;
    },
  };
}

async function openUnix(
  socketPaths: readonly string[],
  reading: { readonly onread?: OnReadOpts },
  signal: AbortSignal,
): Promise<Socket> {
  const [path = '', ...others] = socketPaths;
  try {
    return await openSocket(() => connectNet({ path, ...reading }), 'connect', signal);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing || others.length === 0) throw error;
    return openUnix(others, reading, signal);
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
  if (ready === 'connect') socket.pause();
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
