import type { TLSSocket } from 'node:tls';

import { chainOf, fingerprintsOf, type ReviewedUser } from '@smalt/kubernetes-callers';

import type { FrontProxySettings } from './front-proxy-authority.ts';

/** Headers by name, each with all its values: joined, a group with a comma in its name would be two. */
export type DistinctHeaders = Readonly<Record<string, readonly string[] | undefined>>;

/** Whose request an API server passes on; undefined when it was no API server that sent it. */
export function frontProxyUser(
  socket: Pick<TLSSocket, 'authorized' | 'getPeerCertificate'>,
  headers: DistinctHeaders,
  settings: FrontProxySettings,
): ReviewedUser | undefined {
  return isFrontProxy(socket, settings) ? namedUser(headers, settings) : undefined;
}

/** Whether a connection comes from an API server. Without an authority nobody can be one: headers alone prove nothing. */
export function isFrontProxy(
  socket: Pick<TLSSocket, 'authorized' | 'getPeerCertificate'>,
  { authority, allowedNames }: FrontProxySettings,
): boolean {
  if (!socket.authorized || authority === '') return false;
  const peer = socket.getPeerCertificate(true);
  const authorities = fingerprintsOf(authority);
  if (!chainOf(peer).some((print) => authorities.has(print))) return false;
  const names = [peer.subject?.CN ?? []].flat();
  return allowedNames.length === 0 || names.some((name) => allowedNames.includes(name));
}

/** Reads the headers that tell whose request it was; undefined when none names a user. */
export function namedUser(headers: DistinctHeaders, settings: FrontProxySettings): ReviewedUser | undefined {
  const first = (names: readonly string[]): string | undefined =>
    names.flatMap((name) => valuesOf(headers, name)).find((value) => value !== '');
  const username = first(settings.userHeaders);
  if (username === undefined) return undefined;
  const uid = first(settings.uidHeaders);
  const groups = settings.groupHeaders.flatMap((name) => valuesOf(headers, name));
  const extra = extraOf(headers, settings.extraPrefixes);
  return { name: username, user: { username, groups, extra, ...(uid === undefined ? {} : { uid }) } };
}

function extraOf(headers: DistinctHeaders, prefixes: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const entries = Object.keys(headers).flatMap((name): readonly [string, readonly string[]][] => {
    const prefix = prefixes.find((each) => name.startsWith(each) && name.length > each.length);
    return prefix === undefined ? [] : [[unescaped(name.slice(prefix.length)), valuesOf(headers, name)]];
  });
  return Object.fromEntries(entries);
}

function valuesOf(headers: DistinctHeaders, name: string): readonly string[] {
  return headers[name] ?? [];
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // Kubernetes takes a name with wrong escapes as it is.
    return name;
  }
}
