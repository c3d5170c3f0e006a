import { isIPv6 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';

import type { ListenAddress } from './listen-address.ts';

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/**
 * Where other replicas find this one: by the host of the settings, else where it listens; where that is everywhere, by the first
 * address of the machine that others can reach.
 */
export function ownUrl(settingsHost: string, { host, port }: ListenAddress, interfaces: Interfaces): string {
  const found = settingsHost === '' ? reachableHost(host, interfaces) : settingsHost;
  return `https://${isIPv6(found) ? `[${found}]` : found}:${port}`;
}

function reachableHost(listened: string, interfaces: Interfaces): string {
  if (listened !== '::' && listened !== '0.0.0.0') return listened;
  const others = Object.values(interfaces).flatMap((each) => (each ?? []).filter(({ internal }) => !internal));
  // An address that counts on one link only says nothing to others.
  const usable = others.filter(({ family, scopeid = 0 }) => family === 'IPv4' || scopeid === 0);
  const [first] = usable.toSorted((one, other) => one.family.localeCompare(other.family));
  return first?.address ?? '127.0.0.1';
}
