import { mappedSource, type ControllerSource, type Informer } from '@smalt/controller-runtime';
import type { Eviction } from '@smalt/fleet-api';

import { evictedHosts, EvictionsByHost } from '../hosts/evictions-by-host.ts';

/** Says which hypervisors somebody wants emptied by an Eviction, and tells when one comes. */
export class EvictedHosts {
  readonly source: ControllerSource;
  readonly #byHost: EvictionsByHost;

  constructor(evictions: Informer<Eviction>) {
    this.#byHost = new EvictionsByHost(evictions);
    this.source = mappedSource(evictions, ({ old, current }) => {
      const isNew = old === undefined || old.spec !== current?.spec;
      return current !== undefined && isNew ? evictedHosts(current) : [];
    });
  }

  has(name: string): boolean {
    return this.#byHost.of(name).some(({ metadata }) => metadata.deletionTimestamp === undefined);
  }
}
