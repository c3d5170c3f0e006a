import type { RequestListener } from 'node:http';

import type { Ignore } from '@smalt/service-runtime';

import type { CallServer } from './call-server.ts';

/** Hands requests to the server of calls. A fault of that ends one connection, and never the process. */
export function requestListener(calls: Pick<CallServer, 'handle'>, ignore: Ignore): RequestListener {
  return (request, response) => {
    calls.handle(request, response).catch((error: unknown) => {
      ignore(error, 'a troubleshooting call ended with its connection');
      response.destroy();
    });
  };
}
