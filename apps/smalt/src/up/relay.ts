import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface RelayOptions {
  readonly listen: { readonly host: string; readonly port: number };
  /** A port of the loopback. */
  readonly port: number;
}

/** Passes connections to an address on to a port of the loopback, byte by byte, so that what listens there stays there. */
export async function openRelay({ listen, port }: RelayOptions): Promise<AsyncDisposable> {
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  server.listen(listen);
  await once(server, 'listening');
  return {
    [Symbol.asyncDispose]: async () => {
      const closed = once(server.close(), 'close');
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
