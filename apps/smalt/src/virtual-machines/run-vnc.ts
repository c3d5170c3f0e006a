import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';

import { messageOf } from '@smalt/service-runtime';
import type { WebSocketStream } from '@smalt/websocket';

import { printableText } from '../printable-text.ts';
import { SmaltError } from '../smalt-error.ts';
import { openMachineStream, type MachineFlags } from './open-machine-stream.ts';
import type { MachineProgram } from './run-console.ts';

export interface VncFlags extends MachineFlags {
  readonly port: number;
  /** Whether a display that somebody looks at is left to them. */
  readonly polite: boolean;
}

const HOST = '127.0.0.1';

/** Offers the display of a machine to VNC viewers on this machine until Ctrl-C. */
export async function runVnc(program: MachineProgram, name: string, flags: VncFlags): Promise<void> {
  // Now, so that what cannot be opened is told before anybody starts a viewer.
  const first = await open(program, name, flags);
  const waiting = [first];
  const server = await listen(flags.port);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    void serve(program, { name, flags, socket, ready: waiting.shift() }).then(() => sockets.delete(socket));
  });
  program.errors.write(`the display of ${printableText(name)} is at ${HOST}:${portOf(server)}; Ctrl-C ends it\n`);
  if (!program.signal.aborted) await once(program.signal, 'abort');
  server.close();
  for (const socket of sockets) socket.destroy();
  await Promise.all(waiting.map((stream) => stream.close()));
}

interface Viewer {
  readonly name: string;
  readonly flags: VncFlags;
  readonly socket: Socket;
  /** One that was opened beforehand. */
  readonly ready: WebSocketStream | undefined;
}

async function serve(program: MachineProgram, { name, flags, socket, ready }: Viewer): Promise<void> {
  socket.on('error', () => undefined);
  try {
    await using stream = ready ?? (await open(program, name, flags));
    await Promise.race([toMachine(socket, stream), toViewer(stream, socket)]);
  } catch (error) {
    program.errors.write(`${printableText(messageOf(error))}\n`);
  } finally {
    socket.destroy();
  }
}

async function toMachine(socket: Socket, stream: WebSocketStream): Promise<void> {
  for await (const bytes of socket.iterator({ destroyOnReturn: false })) await stream.write(bytes);
}

async function toViewer(stream: WebSocketStream, socket: Socket): Promise<void> {
  for await (const bytes of stream) if (!socket.write(bytes)) await once(socket, 'drain');
}

async function open(program: MachineProgram, name: string, flags: VncFlags): Promise<WebSocketStream> {
  const query = new URLSearchParams(flags.polite ? { preserveSession: 'true' } : {});
  return await openMachineStream({ name, subresource: 'vnc', query }, flags, program);
}

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, HOST);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    const message = `--port: ${HOST}:${port} cannot be listened on (${messageOf(error)}): give another`;
    throw new SmaltError('start-failed', message, { cause: error });
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
