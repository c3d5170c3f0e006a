import { isIP } from 'node:net';

import { SmaltError } from './smalt-error.ts';

/** Where a server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/**
 * Reads `127.0.0.1:6443`, `[::1]:6443`, `localhost:0` or `::1:6443`, of which the last is what `$(HOST_IP):6443` becomes. `source`
 * names where the text stands, for the message.
 */
export function parseAddress(text: string, source: string): Address {
  const found = /^(?:\[(?<bracketed>[^\]]+)\]|(?<plain>[^[\]\s]+)):(?<port>\d{1,5})$/.exec(text)?.groups;
  const host = found?.['bracketed'] ?? found?.['plain'] ?? '';
  const port = Number(found?.['port']);
  const isSix = found?.['bracketed'] !== undefined || host.includes(':');
  const isWrongHost = host === '' || (isSix && isIP(host) !== 6);
  if (isWrongHost || port > 65_535)
    throw new SmaltError(
      'bad-address',
      `${source} must be an address and a port from 0 to 65535, such as 127.0.0.1:6443 or [::1]:6443, not "${text}"`,
    );
  return { host, port };
}

/** The same as text. */
export function printAddress({ host, port }: Address): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
