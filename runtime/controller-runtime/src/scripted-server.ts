import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';

import { KubeClient } from '@smalt/kube';

export type Answer = (query: URLSearchParams, response: ServerResponse, path: string) => void;

/** An API server on loopback that answers as a test wants it to, and a client for it. */
export interface ScriptedServer extends AsyncDisposable {
  readonly client: KubeClient;
  /** What was asked for. */
  readonly queries: readonly URLSearchParams[];
  /** Drops every connection. */
  disconnect(): void;
}

export async function startScriptedServer(answer: Answer): Promise<ScriptedServer> {
  const queries: URLSearchParams[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    queries.push(searchParams);
    answer(searchParams, response, pathname);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const config = {
    server: `http://127.0.0.1:${port}`,
    tls: { isInsecure: false },
    identity: { kind: 'anonymous' },
    namespace: 'default',
  } as const;
  const client = new KubeClient({ config, userAgent: 'test/1', maxAttempts: 1 });
  return {
    client,
    queries,
    disconnect: () => server.closeAllConnections(),
    async [Symbol.asyncDispose]() {
      await client[Symbol.asyncDispose]();
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
