import { once } from 'node:events';
import { connect, type NetConnectOpts, type Socket } from 'node:net';

import { messageOf } from '@smalt/service-runtime';

import { VirtHandlerError } from '../../virt-handler-error.ts';
import type { GuestLink } from './relay.ts';

/** How long what was sent last may take to be taken. */
const DRAIN_MS = 2_000;

/** Connects to a socket of a guest; `what` names it in the words of who asked. */
export async function openSocketLink(to: NetConnectOpts, what: string, signal: AbortSignal): Promise<GuestLink> {
  signal.throwIfAborted();
  const socket = connect({ ...to, allowHalfOpen: true });
  // Told by whoever reads or writes; without a listener it would end the process.
  socket.on('error', () => undefined);
  try {
    await once(socket, 'connect', { signal });
  } catch (error) {
    socket.destroy();
    if (signal.aborted) throw signal.reason;
    throw new VirtHandlerError('unavailable', `${what} cannot be reached: ${messageOf(error)}`, { cause: error });
  }
  return {
    incoming: socket.iterator({ destroyOnReturn: false }),
    write: (bytes) => writeTo(socket, bytes),
    [Symbol.asyncDispose]: () => close(socket),
  };
}

async function writeTo(socket: Socket, bytes: Uint8Array): Promise<void> {
  const written = Promise.withResolvers<void>();
  socket.write(bytes, (error) => (error === null || error === undefined ? written.resolve() : written.reject(error)));
  await written.promise;
}

/** Lets what was sent last arrive, for a moment. */
async function close(socket: Socket): Promise<void> {
  if (!socket.destroyed) {
    const done = Promise.withResolvers<void>();
    const timer = setTimeout(done.resolve, DRAIN_MS);
    socket.once('close', done.resolve).end(done.resolve);
    await done.promise;
    clearTimeout(timer);
  }
  socket.destroy();
}
