import { Agent, request, type RequestOptions } from 'node:https';
import type { IncomingMessage } from 'node:http';

import { BenchmarkError } from '../src/benchmark-error.ts';

/** Where a server is and how one gets in. */
export interface ApiAccess {
  readonly url: string;
  readonly token: string;
  readonly authority: string;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** The plainest client there is, so that what is measured is the server: HTTP/1.1 on connections that are kept. */
export class ApiConnection implements Disposable {
  readonly #access: ApiAccess;
  readonly #agent: Agent;

  constructor(access: ApiAccess, connections: number) {
    this.#access = access;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, ca: access.authority });
  }

  /** Sends one request and reads the answer, whatever its status is. */
  ask(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const content = body === undefined ? undefined : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = request(this.#options(method, path, content, this.#agent), (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(chunks) }));
        answer.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(content);
    });
  }

  /** The same, but anything else than success is an error with the server's words. */
  async mustAsk(method: string, path: string, body?: unknown): Promise<ApiAnswer> {
    const answer = await this.ask(method, path, body);
    if (answer.status < 300) return answer;
    throw new BenchmarkError(
      'peer-failed',
      `${method} ${path}: ${answer.status} ${answer.body.toString('utf8').slice(0, 500)}`,
    );
  }

  /** Watches on a connection of its own. Each line of the stream is handed on together with when it came. */
  async watch(path: string, onLine: (line: string, at: number) => void): Promise<ApiWatch> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const sent = request({ ...this.#options('GET', path, undefined, false), ca: this.#access.authority }, resolve);
    sent.on('error', reject);
    sent.end();
    const answer = await promise;
    if (answer.statusCode !== 200) throw new BenchmarkError('peer-failed', `watch ${path}: ${answer.statusCode}`);
    const watch = { isEnded: false, close: () => sent.destroy() };
    let rest = '';
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      const at = performance.now();
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) onLine(line, at);
    });
    answer.on('close', () => (watch.isEnded = true));
    // A watch that is cut off shows in what was delivered.
    answer.on('error', () => undefined);
    sent.removeListener('error', reject).on('error', () => undefined);
    return watch;
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #options(method: string, path: string, content: string | undefined, agent: Agent | false): RequestOptions {
    const { hostname, port } = new URL(this.#access.url);
    const headers = {
      accept: 'application/json',
      authorization: `Bearer ${this.#access.token}`,
      ...(content !== undefined && {
        'content-type': contentType(method),
        'content-length': Buffer.byteLength(content),
      }),
    };
    return { method, path, hostname, port, headers, agent };
  }
}

export interface ApiWatch {
  readonly isEnded: boolean;
  close(): void;
}

function contentType(method: string): string {
  return method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
}
