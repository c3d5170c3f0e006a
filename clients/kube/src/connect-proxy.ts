import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type Socket } from 'node:net';

/** A proxy for tests, on loopback. It knows CONNECT and nothing else. */
export interface ConnectProxy extends AsyncDisposable {
  readonly url: string;
  /** Where it was asked to connect to. */
  readonly targets: readonly string[];
}

export async function startConnectProxy(): Promise<ConnectProxy> {
  const targets: string[] = [];
  const sockets = new Set<Socket>();
  const proxy = createServer((_request, response) => void response.writeHead(405).end());
  proxy.on('connect', (request, socket: Socket) => {
    targets.push(request.url ?? '');
    const [host, port] = (request.url ?? '').split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const each of [socket, onward]) sockets.add(each.on('error', () => each.destroy()));
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const address = proxy.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    targets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await once(proxy.close(), 'close');
    },
  };
}
