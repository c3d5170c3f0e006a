import type { IncomingMessage } from 'node:http';
import { Agent, request, type RequestOptions } from 'node:https';

import { isJsonObject, parseJson, type JsonObject } from '@smalt/json';

export interface ApiAccess {
  readonly url: string;
  readonly token: string;
  readonly authority: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly object: JsonObject;
}

/** A client that tries nothing twice: whoever uses it wants to know what became of each request. */
export class ApiClient implements Disposable {
  readonly #access: ApiAccess;
  readonly #agent: Agent;

  constructor(access: ApiAccess) {
    this.#access = access;
    this.#agent = new Agent({ keepAlive: true, ca: access.authority });
  }

  /** Rejects when the connection ends before the whole answer has come. */
  async ask(method: string, path: string, body?: JsonObject): Promise<Answer> {
    const answer = await this.#send({ method, path, agent: this.#agent }, body);
    const chunks: Buffer[] = [];
    for await (const chunk of answer) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString('utf8');
    return { status: answer.statusCode ?? 0, object: text.startsWith('{') ? parseObject(text) : { message: text } };
  }

  /** Hands on each whole line of a stream until it ends, however it ends. Rejects when there is no stream at all. */
  async lines(path: string, onLine: (object: JsonObject) => void, signal: AbortSignal): Promise<void> {
    const answer = await this.#send({ method: 'GET', path, agent: false, ca: this.#access.authority, signal });
    if (answer.statusCode !== 200) throw new Error(`GET ${path}: ${answer.statusCode}`);
    let rest = '';
    try {
      for await (const chunk of answer.setEncoding('utf8')) {
        const lines = (rest + String(chunk)).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) onLine(parseObject(line));
      }
    } catch (error) {
      // A killed server ends its streams in the middle; the reader goes on where the last whole line ended.
      if (!isCutOff(error, signal)) throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  #send(options: RequestOptions, body?: JsonObject): Promise<IncomingMessage> {
    const { hostname, port } = new URL(this.#access.url);
    const content = body === undefined ? undefined : JSON.stringify(body);
    const type = options.method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const headers = {
      authorization: `Bearer ${this.#access.token}`,
      ...(content !== undefined && { 'content-type': type, 'content-length': Buffer.byteLength(content) }),
    };
    return new Promise((resolve, reject) => {
      const sent = request({ ...options, hostname, port, headers }, resolve);
      sent.on('error', reject);
      sent.end(content);
    });
  }
}

function isCutOff(error: unknown, signal: AbortSignal): boolean {
  if (signal.aborted) return true;
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ECONNRESET' || error.code === 'ERR_STREAM_PREMATURE_CLOSE')
  );
}

function parseObject(text: string): JsonObject {
  const value = parseJson(text);
  if (!isJsonObject(value)) throw new TypeError(`not an object: ${text.slice(0, 200)}`);
  return value;
}
