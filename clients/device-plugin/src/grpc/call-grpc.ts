import { connect as connectHttp2, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { connect, type Socket } from 'node:net';

import { DevicePluginError } from '../device-plugin-error.ts';
import { readOnlyFrame, writeFrame } from './frame.ts';

export interface GrpcCall {
  readonly socketPath: string;
  /** Such as `/v1beta1.Registration/Register`. */
  readonly method: string;
  readonly request: Buffer;
  readonly timeoutMs: number;
}

/** Calls a method that takes one message and gives one. Throws `no-kubelet`, `timeout`, `refused` or `bad-message`. */
export async function callGrpc(call: GrpcCall, signal: AbortSignal): Promise<Buffer> {
  const { socketPath, timeoutMs } = call;
  if (signal.aborted) throw abortedBy(signal);
  const failed = Promise.withResolvers<never>();
  const socket = connect(socketPath);
  const session = connectHttp2('http://localhost', { createConnection: () => socket });
  const lost = (cause?: Error): void =>
    failed.reject(new DevicePluginError('no-kubelet', `${socketPath} does not answer: ${reasonOf(cause)}`, { cause }));
  session.on('error', lost).on('close', lost);
  const onAbort = (): void => failed.reject(abortedBy(signal));
  const late = (): void =>
    failed.reject(new DevicePluginError('timeout', `${socketPath} did not answer within ${timeoutMs} ms`));
  const timer = setTimeout(late, timeoutMs);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([failed.promise, exchange(session, call)]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
    await hangUp(socket, session);
  }
}

/** The socket goes first: nothing is left to be sent, whatever state the session is in. See docs/decisions/0026. */
async function hangUp(socket: Socket, session: ClientHttp2Session): Promise<void> {
  if (session.destroyed) return;
  const closed = Promise.withResolvers<void>();
  session.on('close', () => closed.resolve());
  socket.destroy();
  await closed.promise;
}

async function exchange(session: ClientHttp2Session, { method, request }: GrpcCall): Promise<Buffer> {
  const stream = session.request({
    ':method': 'POST',
    ':path': method,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const told: { headers: IncomingHttpHeaders } = { headers: {} };
  stream.on('response', (headers) => (told.headers = { ...told.headers, ...headers }));
  stream.on('trailers', (headers) => (told.headers = { ...told.headers, ...headers }));
  stream.end(writeFrame(request));
  const answer = await readOnlyFrame(stream);
  const { ':status': http, 'grpc-status': status, 'grpc-message': message } = told.headers;
  if (status === '0' && answer !== undefined) return answer;
  const words = typeof message === 'string' ? decodeMessage(message) : `HTTP ${String(http)}`;
  throw new DevicePluginError('refused', `${method} was refused: ${words} (${String(status ?? 'no status')})`);
}

function decodeMessage(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // It is for people only: as it came is better than not at all.
    return text;
  }
}

function abortedBy(signal: AbortSignal): DevicePluginError {
  return new DevicePluginError('aborted', 'given up by the caller', { cause: signal.reason });
}

function reasonOf(error: Error | undefined): string {
  return error?.message ?? 'it hung up';
}
