import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

import { CallCounter } from './call-counter.ts';

/** Stands between a client and a daemon, both on unix sockets, and counts the calls that go through. */
export class CountingProxy implements AsyncDisposable {
  readonly #server: Server;
  readonly #counters: CallCounter[] = [];
  readonly #sockets = new Set<Socket>();
  #lastByteAt = 0;

  private constructor(upstreamPath: string) {
    this.#server = createServer((client) => this.#serve(client, upstreamPath));
  }

  static async start(path: string, upstreamPath: string): Promise<CountingProxy> {
    const proxy = new CountingProxy(upstreamPath);
    proxy.#server.listen(path);
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** How many calls all clients have made. */
  get calls(): number {
    let sum = 0;
    for (const { byProcedure } of this.#counters) for (const count of byProcedure.values()) sum += count;
    return sum;
  }

  /** How many milliseconds ago a client last said something. */
  get quietMs(): number {
    return performance.now() - this.#lastByteAt;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #serve(client: Socket, upstreamPath: string): void {
    const daemon = connect(upstreamPath);
    const counter = new CallCounter();
    this.#counters.push(counter);
    client.on('data', (bytes) => {
      this.#lastByteAt = performance.now();
      counter.read(bytes);
    });
    client.pipe(daemon).pipe(client);
    for (const socket of [client, daemon]) {
      this.#sockets.add(socket);
      // One side that ends, in whatever way, ends the other; a client then knows as much as without a proxy.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        daemon.destroy();
      });
    }
  }
}
