import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { decodeMessage, encodeMessage, MessageSplitter, type DBusMessage } from '@smalt/dbus';

/** What a fake bus does with one connection: `line` and `message` are called as they come. */
export interface FakePeer {
  /** A line of the authentication; `OK …` unless told. */
  readonly onLine?: (socket: Socket, line: string) => void;
  /** A message after it; Hello is answered unless told. */
  readonly onMessage?: (socket: Socket, message: DBusMessage) => void;
}

/** A peer at a real socket that speaks D-Bus as far as a test wants, and no further. For tests. */
export interface FakeBus extends AsyncDisposable {
  readonly path: string;
  /** How many have connected so far. */
  readonly connections: () => number;
}

/** Serves each connection with the next of the peers, the last one for all that follow. */
export async function startFakeBus(...peers: readonly FakePeer[]): Promise<FakeBus> {
  const directory = await mkdtemp(join(tmpdir(), 'smalt-fake-bus-'));
  const path = join(directory, 'bus');
  const sockets = new Set<Socket>();
  let count = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    serve(socket, peers[Math.min(count, peers.length - 1)] ?? {});
    count += 1;
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  return { path, connections: () => count, [Symbol.asyncDispose]: () => stop(server, sockets, directory) };
}

/** Says yes to everybody. */
export function letIn(socket: Socket, line: string): void {
  if (line.startsWith('AUTH')) socket.write('OK 0123456789abcdef0123456789abcdef\r\n');
}

/** Answers a call with the values. */
export function answer(socket: Socket, call: DBusMessage, values: Partial<DBusMessage> = {}): void {
  socket.write(encodeMessage({ kind: 'return', serial: 1, replySerial: call.serial, sender: ':1.9', ...values }));
}

/** Answers Hello, as every bus does. */
export function greet(socket: Socket, call: DBusMessage): void {
  if (call.member === 'Hello') answer(socket, call, { signature: 's', body: [':1.7'] });
}

function serve(socket: Socket, { onLine = letIn, onMessage = greet }: FakePeer): void {
  const splitter = new MessageSplitter();
  let lines: string | undefined = '';
  socket.on('data', (chunk: Buffer) => {
    let rest = chunk;
    if (lines !== undefined) {
      const text: string = lines + chunk.toString('latin1');
      const begin = text.indexOf('BEGIN\r\n');
      for (const line of text.split('\r\n').slice(0, -1)) onLine(socket, line.replace('\0', ''));
      lines = begin === -1 ? text.slice(text.lastIndexOf('\n') + 1) : undefined;
      rest = Buffer.from(begin === -1 ? '' : text.slice(begin + 'BEGIN\r\n'.length), 'latin1');
    }
    if (lines !== undefined) return;
    for (const bytes of splitter.push(rest)) {
      const message = decodeMessage(bytes);
      if (message) onMessage(socket, message);
    }
  });
}

async function stop(server: Server, sockets: ReadonlySet<Socket>, directory: string): Promise<void> {
  for (const socket of sockets) socket.destroy();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  await rm(directory, { recursive: true, force: true });
}
