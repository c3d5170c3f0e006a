import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { text } from 'node:stream/consumers';

import type { KubeConfig } from './kube-config.ts';

/** A request as a fake server saw it. */
interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Answer = (request: SeenRequest, response: ServerResponse) => void | Promise<void>;

/** An HTTP or HTTPS server on loopback that answers as a test wants it to. */
export interface FakeServer extends AsyncDisposable {
  readonly config: KubeConfig;
  readonly requests: readonly SeenRequest[];
}

interface FakeServerTls {
  readonly key: string;
  readonly certificate: string;
}

export async function startFakeServer(answer: Answer, tls?: FakeServerTls): Promise<FakeServer> {
  const requests: SeenRequest[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const each = await seen(request);
    requests.push(each);
    await answer(each, response);
  };
  const listener: RequestListener = (request, response) => void handle(request, response);
  const server =
    tls === undefined ? createServer(listener) : createTlsServer({ key: tls.key, cert: tls.certificate }, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    config: {
      server: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
      tls: { isInsecure: false },
      identity: { kind: 'anonymous' },
      namespace: 'default',
    },
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

async function seen(request: IncomingMessage): Promise<SeenRequest> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  return {
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: await text(request),
  };
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
