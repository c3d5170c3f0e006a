import type { IncomingHttpHeaders } from 'node:http';

import { ConsoleError } from '../console-error.ts';
import type { OwnOrigins } from './own-origins.ts';
import type { Route } from './route.ts';

/** What a request says of where it comes from. */
export interface RequestSource {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly route: Route['kind'];
  readonly isUpgrade: boolean;
}

const HEADER = 'x-smalt-console';
/** What a browser fetches for scripts of a page, or shows by itself; anything else would run, or frame, what an API answered. */
const DESTINATIONS = ['empty', 'document', 'websocket'];

/** Refuses what a page of another site has made a browser send: the cookie goes with such requests as well, at times. */
export function checkSource(source: RequestSource, own: Pick<OwnOrigins, 'isOwn'>): void {
  const { headers, isUpgrade, route } = source;
  const { origin } = headers;
  if (origin !== undefined && !own.isOwn(origin)) {
    throw forbidden('Origin', `pages of ${JSON.stringify(origin)} may not use this console: open its own address`);
  }
  if (isUpgrade) {
    if (origin === undefined) throw forbidden('Origin', 'a WebSocket needs the Origin of this console');
    return;
  }
  const site = headers['sec-fetch-site'];
  if (source.method === 'GET' || source.method === 'HEAD') {
    if (route !== 'pages' && route !== 'enter') checkRead(site, headers['sec-fetch-dest']);
    return;
  }
  if (headers[HEADER] !== '1') throw forbidden(HEADER, `whatever changes something needs the header ${HEADER}: 1`);
  if (origin === undefined && site !== 'same-origin') {
    throw forbidden('Origin', 'whatever changes something needs the Origin of this console');
  }
}

function checkRead(site: unknown, destination: unknown): void {
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw forbidden('Sec-Fetch-Site', 'pages of other sites may not read from this console');
  }
  if (destination !== undefined && !(typeof destination === 'string' && DESTINATIONS.includes(destination))) {
    throw forbidden('Sec-Fetch-Dest', 'answers of an API are neither scripts nor parts of a page');
  }
}

function forbidden(field: string, message: string): ConsoleError {
  return new ConsoleError('forbidden', message, { field });
}
