import { mappedSource, type ControllerSource, type Informer } from '@smalt/controller-runtime';
import type { Eviction } from '@smalt/fleet-api';

const INDEX = 'onboarding.evictedHypervisor';

/** Says which hypervisors somebody wants emptied by an Eviction, and tells when one comes. */
export class EvictedHosts {
  readonly source: ControllerSource;
  readonly #evictions: Informer<Eviction>;

  constructor(evictions: Informer<Eviction>) {
    this.#evictions = evictions;
    evictions.addIndex(INDEX, namesOf);
    this.source = mappedSource(evictions, ({ old, current }) => {
      const isNew = old === undefined || old.spec !== current?.spec;
      return current !== undefined && isNew ? namesOf(current) : [];
    });
  }

  has(name: string): boolean {
    const evictions = this.#evictions.cache.byIndex(INDEX, name);
    return evictions.some(({ metadata }) => metadata.deletionTimestamp === undefined);
  }
}

function namesOf({ spec }: Eviction): readonly string[] {
  const { hypervisor = '' } = spec ?? {};
  return hypervisor === '' ? [] : [hypervisor];
}
