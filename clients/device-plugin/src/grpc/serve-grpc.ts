import { chmod, rm } from 'node:fs/promises';
import { createServer, type Http2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';

import { DevicePluginError } from '../device-plugin-error.ts';
import { readOnlyFrame, writeFrame } from './frame.ts';
import { failedTrailers, GrpcStatus, OK, refusal, type GrpcTrailers } from './grpc-status.ts';

/** A method of a service. Whatever its kind, its caller sends one message. */
export type GrpcMethod =
  | { readonly kind: 'unary'; readonly answer: (request: Buffer) => Promise<Buffer> }
  /** Answers until it has no more, or the caller has gone and the signal fires. */
  | { readonly kind: 'stream'; readonly answers: (request: Buffer, signal: AbortSignal) => AsyncIterable<Buffer> };

/** Methods by their paths, such as `/v1beta1.DevicePlugin/Allocate`. */
export type GrpcMethods = Readonly<Record<string, GrpcMethod>>;

/** Serves gRPC on a Unix socket, which goes with it. A file that is in its place already is taken for a leftover. */
export async function serveGrpc(socketPath: string, methods: GrpcMethods): Promise<AsyncDisposable> {
  await rm(socketPath, { force: true });
  const server = createServer();
  const sessions = new Set<ServerHttp2Session>();
  server.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  // What is wrong with one caller is of no use to anybody else; it sees that its connection ends.
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, headers) => void serveStream(stream, methods[String(headers[':path'])]));
  await listen(server, socketPath);
  await chmod(socketPath, 0o600);
  return { [Symbol.asyncDispose]: () => close(server, sessions) };
}

async function listen(server: Http2Server, path: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (cause: Error): void =>
    reject(new DevicePluginError('cannot-listen', `${path}: ${cause.message}`, { cause }));
  server.once('error', fail);
  server.listen(path, resolve);
  await promise;
  server.off('error', fail);
}

async function close(server: Http2Server, sessions: ReadonlySet<ServerHttp2Session>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  for (const session of sessions) session.destroy();
  await promise;
}

async function serveStream(stream: ServerHttp2Stream, method: GrpcMethod | undefined): Promise<void> {
  const gone = new AbortController();
  stream.on('close', () => gone.abort(new Error('the caller has gone')));
  // A caller that goes is no fault.
  stream.on('error', () => undefined);
  const told: { trailers: GrpcTrailers } = { trailers: OK };
  stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
  stream.on('wantTrailers', () => stream.sendTrailers({ ...told.trailers }));
  try {
    told.trailers = await answer(stream, method, gone.signal);
  } catch (error) {
    told.trailers = failedTrailers(error);
  }
  if (!stream.destroyed) stream.end();
}

async function answer(
  stream: ServerHttp2Stream,
  method: GrpcMethod | undefined,
  signal: AbortSignal,
): Promise<GrpcTrailers> {
  if (method === undefined) return refusal(GrpcStatus.unimplemented, 'there is no such method');
  const request = await readOnlyFrame(stream);
  if (request === undefined) return refusal(GrpcStatus.invalidArgument, 'a message is missing');
  switch (method.kind) {
    case 'unary':
      stream.write(writeFrame(await method.answer(request)));
      return OK;
    case 'stream':
      for await (const message of method.answers(request, signal)) stream.write(writeFrame(message));
      return OK;
  }
}
