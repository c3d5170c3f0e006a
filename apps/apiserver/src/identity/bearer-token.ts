import { unauthorizedError } from '../errors/make-status-error.ts';

const PROTOCOL_PREFIX = 'base64url.bearer.authorization.k8s.io.';

/** The token of an `Authorization` header; undefined when there is none or it holds something else. */
export function bearerToken(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [scheme = '', token = ''] = header.trim().split(' ', 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}

/** The token that a browser, which cannot set headers on a WebSocket, sends as one of the protocols. */
export function webSocketToken(protocols: string | undefined): string | undefined {
  if (protocols === undefined || !protocols.includes(PROTOCOL_PREFIX)) return undefined;
  const names = protocols.split(',').map((name) => name.trim());
  const carriers = names.filter((name) => name.startsWith(PROTOCOL_PREFIX));
  // The one with the token is not answered, so there has to be another one to agree on.
  if (carriers.length !== 1 || carriers.length === names.length) throw unauthorizedError();
  const encoded = carriers[0]?.slice(PROTOCOL_PREFIX.length) ?? '';
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) throw unauthorizedError();
  return Buffer.from(encoded, 'base64url').toString('utf8');
}

/** The protocols of a WebSocket without the one that carries a token. */
export function withoutWebSocketToken(protocols: string): string {
  const names = protocols.split(',').map((name) => name.trim());
  return names.filter((name) => !name.startsWith(PROTOCOL_PREFIX)).join(', ');
}
