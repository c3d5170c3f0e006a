import { request as httpsRequest } from 'node:https';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { pipeline } from 'node:stream/promises';

import { networkProblem } from '../admission/network-problem.ts';
import { serviceUnavailableError } from '../errors/make-status-error.ts';
import type { Exchange } from '../http/exchange.ts';
import { tlsOptions, type TlsTarget } from './tls-target.ts';

/** What is asked of the other server. */
export interface ProxiedRequest {
  /** With its query. */
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly target: TlsTarget;
}

/** Headers that are about one connection, and mean nothing on the next. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Passes a request on to another server, and its answer back, as they come. */
export async function proxyRequest(exchange: Exchange, proxied: ProxiedRequest): Promise<void> {
  const response = await send(exchange, proxied);
  exchange.begin(response.statusCode ?? 502, endToEndHeaders(response.headers));
  // Whoever watches wants to know that the watch has begun before anything happens.
  const { response: own } = exchange;
  if ('flushHeaders' in own && typeof own.flushHeaders === 'function') own.flushHeaders();
  try {
    await pipeline(response, own);
  } catch (error) {
    // The head is out, so all that is left to tell the client is that the answer ends here.
    if (!exchange.signal.aborted) own.destroy(error instanceof Error ? error : undefined);
  }
}

/** Headers without those that are about the connection they came on. */
export function endToEndHeaders(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith(':') && !HOP_BY_HOP.has(name.toLowerCase()));
  return Object.fromEntries(kept);
}

function send(exchange: Exchange, { path, headers, target }: ProxiedRequest): Promise<IncomingMessage> {
  const { method, signal } = exchange;
  return new Promise((resolve, reject) => {
    const request = httpsRequest({ ...tlsOptions(target), method, path, headers, signal, agent: false }, resolve);
    request.on('error', (error) => {
      if (signal.aborted) return reject(error);
      const why = networkProblem(error, signal);
      reject(serviceUnavailableError(`error trying to reach service: ${why}`));
    });
    if (method === 'GET' || method === 'HEAD') request.end();
    else exchange.request.pipe(request);
  });
}
