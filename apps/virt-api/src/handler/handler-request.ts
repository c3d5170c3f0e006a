import type { ClientRequest } from 'node:http';

import type { HandlerAddress } from './find-handler.ts';
import type { HandlerCredentials } from './handler-credentials.ts';
import type { HandlerTarget } from './handler-target.ts';

/** A request to the handler of a node, about the node or an instance there. */
export interface HandlerRequest {
  readonly method: string;
  /** With what follows it: `portforward/22`. */
  readonly subresource: string;
  readonly query?: URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
}

const MAX_HEAD_BYTES = 16_384;

/** Opens a request to a handler, on a connection of its own; nothing is sent before its end. */
export function openHandlerRequest(
  { url, authority }: HandlerAddress,
  credentials: HandlerCredentials,
  target: Pick<HandlerTarget, 'path'>,
  request: HandlerRequest,
): ClientRequest {
  const query = request.query === undefined || request.query.size === 0 ? '' : `?${request.query.toString()}`;
  // Not imported: an import of the module brings all of fetch with it, 10 MiB.
  const { request: send } = process.getBuiltinModule('node:https');
  return send({
    hostname: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? 443 : Number(url.port),
    path: `${url.pathname.replace(/\/$/, '')}/v1/${target.path}/${request.subresource}${query}`,
    method: request.method,
    headers: { ...request.headers, ...credentials.headers },
    ...(authority === undefined ? {} : { ca: authority }),
    ...(credentials.cert === undefined ? {} : { cert: credentials.cert, key: credentials.key }),
    agent: false,
    maxHeaderSize: MAX_HEAD_BYTES,
  });
}
