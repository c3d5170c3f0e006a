import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import type { Ignore } from '@smalt/service-runtime';

/** Who answers requests. */
export interface CallHandler {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** Hands requests to the one who answers them. A fault of that ends one connection, and never the process. */
export function requestListener(calls: CallHandler, ignore: Ignore): RequestListener {
  return (request, response) => {
    calls.handle(request, response).catch((error: unknown) => {
      ignore(error, 'a call ended with its connection');
      response.destroy();
    });
  };
}
