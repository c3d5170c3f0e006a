import type { Duplex } from 'node:stream';

/** How long what is left may take to be read by one end after the other has closed. */
const DRAIN_MS = 5_000;

/**
 * Passes bytes both ways until both sides have ended. Each side is read only as fast as the other takes it, so no more
 * than the buffers of two sockets is ever held. A side that only stops sending can still be sent to; one that breaks ends both.
 */
export async function joinSockets(left: Duplex, right: Duplex, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const closed = new Set<Duplex>();
  let late: NodeJS.Timeout | undefined;
  const breakOff = (): void => {
    left.destroy();
    right.destroy();
  };
  const onClose = (socket: Duplex, other: Duplex): void => {
    closed.add(socket);
    if (closed.size === 2) return resolve();
    // What it said last is on its way to the other side, which then hears that this was all.
    other.end();
    late ??= setTimeout(breakOff, DRAIN_MS);
    other.resume();
  };
  for (const [socket, other] of [
    [left, right],
    [right, left],
  ] as const) {
    socket.on('error', breakOff);
    socket.once('close', () => onClose(socket, other));
    socket.pipe(other);
    if (socket.destroyed) onClose(socket, other);
  }
  signal.addEventListener('abort', breakOff, { once: true });
  if (signal.aborted) breakOff();
  try {
    await promise;
  } finally {
    clearTimeout(late);
    signal.removeEventListener('abort', breakOff);
  }
}
