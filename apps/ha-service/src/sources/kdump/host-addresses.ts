import type { ClusterHost } from '../../ports/cluster-port.ts';
import type { ServiceClock } from '../../ports/service-clock.ts';

/** Anybody can make us look, so all hosts are looked at only so often. */
const REFRESH_MS = 5_000;

export interface HostAddressesDeps {
  readonly hosts: () => readonly ClusterHost[];
  readonly clock: Pick<ServiceClock, 'now'>;
}

/** Knows hosts by the internal addresses of their nodes. */
export class HostAddresses {
  readonly #deps: HostAddressesDeps;
  #names: ReadonlyMap<string, string> = new Map();
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(deps: HostAddressesDeps) {
    this.#deps = deps;
  }

  /** The name of the host with an address, unless two have it. */
  nameOf(address: string): string | undefined {
    const { hosts, clock } = this.#deps;
    const now = clock.now();
    if (now - this.#readAt >= REFRESH_MS) {
      this.#names = namesOf(hosts());
      this.#readAt = now;
    }
    return this.#names.get(address);
  }
}

function namesOf(hosts: readonly ClusterHost[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const twice = new Set<string>();
  for (const { name, internalAddress } of hosts) {
    if (internalAddress === undefined || internalAddress === '') continue;
    if (names.has(internalAddress)) twice.add(internalAddress);
    names.set(internalAddress, name);
  }
  for (const address of twice) names.delete(address);
  return names;
}
