import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A way to a server that can be cut, and mended again. */
export interface CutConnection extends AsyncDisposable {
  /** Where it begins. */
  readonly url: string;
  /** Drops what goes over it, and takes nothing until it is mended. */
  cut(): void;
  mend(): void;
}

/** Opens a way on loopback to a server that is there too. */
export async function openCutConnection(target: string): Promise<CutConnection> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  };
  const server = createServer((inner) => {
    keep(inner);
    if (isCut) return void inner.destroy();
    const outer = connect(Number(port), hostname);
    keep(outer);
    inner.pipe(outer).pipe(inner);
    inner.once('close', () => outer.destroy());
    outer.once('close', () => inner.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const own = typeof address === 'object' && address !== null ? address.port : 0;
  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `https://127.0.0.1:${own}`,
    cut: () => {
      isCut = true;
      drop();
    },
    mend: () => void (isCut = false),
    [Symbol.asyncDispose]: async () => {
      drop();
      await once(server.close(), 'close');
    },
  };
}
