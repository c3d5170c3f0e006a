import { once } from 'node:events';
import { chmod, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '@smalt/json';
import { messageOf } from '@smalt/service-runtime';

import { SmaltError } from '../smalt-error.ts';

/** A request is a few words. */
const LONGEST_REQUEST = 4_096;
const TIMEOUT_MS = 120_000;

/** What a running `smalt up` does when another command of this machine asks for it, by the kind of the request. */
export type ControlHandlers = Readonly<
  Record<string, (request: JsonObject, signal: AbortSignal) => Promise<JsonValue>>
>;

/** Listens to other commands of root on this machine: a JSON object each way, and the connection ends. */
export async function openControlSocket(path: string, handlers: ControlHandlers): Promise<AsyncDisposable> {
  // One that is there belongs to a process that was killed: whoever runs has claimed the directory.
  await rm(path, { force: true });
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    void answer(socket, handlers);
  });
  server.listen(path);
  await once(server, 'listening');
  await chmod(path, 0o600);
  return {
    [Symbol.asyncDispose]: async () => {
      const closed = once(server.close(), 'close');
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

async function answer(socket: Socket, handlers: ControlHandlers): Promise<void> {
  try {
    const request = await readRequest(socket);
    const handle = typeof request['kind'] === 'string' ? handlers[request['kind']] : undefined;
    if (handle === undefined) throw new SmaltError('wrong-use', 'the smalt up that runs does not know this request');
    socket.end(JSON.stringify({ result: await handle(request, AbortSignal.timeout(TIMEOUT_MS)) }));
  } catch (error) {
    socket.end(JSON.stringify({ error: messageOf(error) }));
  }
}

async function readRequest(socket: Socket): Promise<JsonObject> {
  const whole = Promise.withResolvers<void>();
  let read = '';
  // Not by iterating: leaving that closes the socket, and the answer would be lost.
  socket.setEncoding('utf8').on('data', (piece: string) => {
    if (read.length <= LONGEST_REQUEST) read += piece;
    if (read.length > LONGEST_REQUEST) whole.reject(new SmaltError('wrong-use', 'the request is too long'));
  });
  socket.once('end', whole.resolve).once('close', whole.resolve);
  await whole.promise;
  const request = parseJson(read);
  if (!isJsonObject(request)) throw new SmaltError('wrong-use', 'the request is no JSON object');
  return request;
}

/** Asks a running `smalt up`. Rejects with what it said, or when none runs there. */
export async function askControlSocket(path: string, request: JsonObject, signal: AbortSignal): Promise<JsonValue> {
  const socket = createConnection({ path, signal, allowHalfOpen: true });
  let answered: string;
  try {
    await once(socket, 'connect', { signal });
    socket.end(JSON.stringify(request));
    answered = await text(socket);
  } catch (error) {
    const next = 'start it, or name its directory with --data';
    throw new SmaltError('not-running', `no smalt up answers at ${path}: ${next}`, { cause: error });
  }
  const parsed = parseJson(answered === '' ? '{}' : answered);
  const { error, result } = isJsonObject(parsed) ? parsed : {};
  if (result !== undefined) return result;
  throw new SmaltError('refused', typeof error === 'string' ? error : 'it ended before it answered');
}
