import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * The part of the HTTPS server that agents talk to. It sees every request first, so that nothing of the API costs the
 * ten thousand batches anything.
 */
export interface TelemetryEndpoint {
  /**
   * Whether this request is its own; then it answers it, whatever happens, and the API never sees it. Called before
   * anything of the body was read; the socket is a `TLSSocket` whose client certificate, if any, was checked against the
   * authorities of `tls` (`authorized`), but not refused.
   */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
}
