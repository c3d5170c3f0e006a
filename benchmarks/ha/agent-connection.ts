import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';

import { BenchmarkError } from '../src/benchmark-error.ts';

/** Where the service is. */
export interface ServicePlace {
  readonly port: number;
  readonly authority: string;
}

/** The plainest agent there is, so that what is measured is the service: HTTP/1.1 on a connection that is kept. */
export class AgentConnection implements Disposable {
  readonly #socket: TLSSocket;
  readonly #head: string;
  #rest = '';
  #waiting: PromiseWithResolvers<string> | undefined;

  private constructor(socket: TLSSocket, head: string) {
    this.#socket = socket;
    this.#head = head;
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (text: string) => this.#read(text));
    socket.on('error', (error) => this.#fail(error));
    socket.on('close', () => this.#fail(new BenchmarkError('peer-failed', 'the service closed a connection')));
  }

  static async open({ port, authority }: ServicePlace, host: string, token: string): Promise<AgentConnection> {
    const socket = connect({ host: '127.0.0.1', port, ca: authority });
    await once(socket, 'secureConnect');
    const head = `POST /api/v1/nodes/${host}/telemetry HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n`;
    return new AgentConnection(socket, head);
  }

  /** Sends a batch and gives the whole answer. There is one at a time. */
  async push(body: string): Promise<string> {
    this.#waiting = Promise.withResolvers();
    this.#socket.write(`${this.#head}content-length: ${body.length}\r\n\r\n${body}`);
    return await this.#waiting.promise;
  }

  [Symbol.dispose](): void {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #read(text: string): void {
    this.#rest += text;
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#rest)?.[1] ?? 0);
    if (this.#rest.length < end + 4 + length) return;
    const answer = this.#rest;
    this.#rest = '';
    this.#waiting?.resolve(answer);
  }

  #fail(error: Error): void {
    this.#waiting?.reject(error);
  }
}
