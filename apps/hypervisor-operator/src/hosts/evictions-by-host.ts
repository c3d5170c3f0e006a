import type { Informer } from '@smalt/controller-runtime';
import type { Eviction } from '@smalt/fleet-api';

const INDEX = 'hypervisor';

/** Finds the evictions of a host. Controllers that ask share one index. */
export class EvictionsByHost {
  readonly #evictions: Informer<Eviction>;

  constructor(evictions: Informer<Eviction>) {
    this.#evictions = evictions;
    if (!evictions.cache.hasIndex(INDEX)) evictions.addIndex(INDEX, evictedHosts);
  }

  /** The evictions that are for it, the oldest first. */
  of(hypervisor: string): readonly Eviction[] {
    return this.#evictions.cache.byIndex(INDEX, hypervisor).toSorted((a, b) => (isOlder(a, b) ? -1 : 1));
  }
}

/** The name of the hypervisor that an eviction is for, if it has one. */
export function evictedHosts({ spec }: Eviction): readonly string[] {
  const { hypervisor = '' } = spec ?? {};
  return hypervisor === '' ? [] : [hypervisor];
}

/** Of those of the same second, the name decides. */
export function isOlder(a: Eviction, b: Eviction): boolean {
  return ageText(a) < ageText(b);
}

function ageText({ metadata }: Eviction): string {
  return `${metadata.creationTimestamp ?? ''} ${metadata.name}`;
}
