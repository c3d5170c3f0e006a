import { request as httpsRequest } from 'node:https';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { networkProblem } from '../admission/network-problem.ts';
import { badRequestError, serviceUnavailableError } from '../errors/make-status-error.ts';
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

/** Passes a request on to another server, and its answer back, as they come. What both could read differently is refused. */
export async function proxyRequest(exchange: Exchange, proxied: ProxiedRequest): Promise<void> {
  const headers = { ...proxied.headers, ...framingHeaders(exchange.method, exchange.headers, exchange.isHttp2) };
  const response = await send(exchange, { ...proxied, headers });
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

/**
 * The headers that tell where the body of a request ends, from those that it came with. Left to itself the HTTP client
 * would guess, and send the body of a DELETE as if it were the next request.
 */
export function framingHeaders(method: string, given: IncomingHttpHeaders, isHttp2: boolean): OutgoingHttpHeaders {
  const { 'content-length': length, 'transfer-encoding': coding } = given;
  if (coding !== undefined && (length !== undefined || coding.toLowerCase() !== 'chunked')) {
    throw badRequestError('Transfer-Encoding: only chunked is passed on, and no Content-Length beside it');
  }
  if (method === 'GET' || method === 'HEAD') {
    const hasBody = coding !== undefined || Number(length ?? 0) !== 0;
    if (hasBody) throw badRequestError(`a ${method} has no body: leave out Content-Length and Transfer-Encoding`);
    return {};
  }
  if (length !== undefined) return { 'content-length': length };
  // In HTTP/2 a body needs no header to be there.
  return coding !== undefined || isHttp2 ? { 'transfer-encoding': 'chunked' } : { 'content-length': '0' };
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
    else pass(exchange.request, request);
  });
}

/** A body that breaks off breaks off for the other server too, which must not take it for whole. */
function pass(body: Readable, request: ClientRequest): void {
  body.once('error', (error) => request.destroy(error));
  body.once('close', () => {
    if (!body.readableEnded) request.destroy(new Error('the body of the request broke off'));
  });
  body.pipe(request);
}
