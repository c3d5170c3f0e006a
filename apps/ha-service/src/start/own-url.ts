import { isIPv6 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';

import type { ListenAddress } from './listen-address.ts';

type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/**
 * Where other replicas find this one: by the host of the settings, else where it listens; where that is everywhere, by the
 * address of the machine. A machine with several interfaces does not tell by which of them others reach it: one may be a bridge
 * whose address every machine has. undefined then.
 */
export function ownUrl(
  settingsHost: string,
  { host, port }: ListenAddress,
  interfaces: Interfaces,
): string | undefined {
  const found = settingsHost === '' ? reachableHost(host, interfaces) : settingsHost;
  return found && `https://${isIPv6(found) ? `[${found}]` : found}:${port}`;
}

function reachableHost(listened: string, interfaces: Interfaces): string | undefined {
  if (listened !== '::' && listened !== '0.0.0.0') return listened;
  const usable = Object.values(interfaces)
    .map((each) => (each ?? []).filter((address) => isUsable(address)))
    .filter((each) => each.length > 0);
  const [only, ...others] = usable;
  if (only === undefined || others.length > 0) return undefined;
  return only.toSorted((one, other) => one.family.localeCompare(other.family))[0]?.address;
}

/** An address that counts on one link only says nothing to others. */
function isUsable({ internal, family, scopeid = 0 }: NetworkInterfaceInfo): boolean {
  return !internal && (family === 'IPv4' || scopeid === 0);
}
