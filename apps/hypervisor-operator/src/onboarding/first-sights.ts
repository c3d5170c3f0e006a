import type { TestInstance } from '@smalt/compute';
import type { Clock, Informer } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';

import type { WatchedInstance } from './decide-smoke-test.ts';

/** Since when test instances have been seen in their states. After a restart each begins anew, which only takes longer. */
export class FirstSights {
  readonly #clock: Clock;
  readonly #seenAt = new Map<string, ReadonlyMap<string, number>>();

  constructor(hypervisors: Pick<Informer<Hypervisor>, 'onChange'>, clock: Clock) {
    this.#clock = clock;
    hypervisors.onChange(({ key, current }) => {
      if (current === undefined) this.#seenAt.delete(key);
    });
  }

  /** All test instances of a host that there are now, and for how long each has been as it is. */
  watch({ metadata }: Hypervisor, instances: readonly TestInstance[]): readonly WatchedInstance[] {
    const now = this.#clock.monotonic();
    const before = this.#seenAt.get(metadata.name);
    const seenAt = new Map(instances.map((instance) => [keyOf(instance), before?.get(keyOf(instance)) ?? now]));
    if (seenAt.size > 0) this.#seenAt.set(metadata.name, seenAt);
    else this.#seenAt.delete(metadata.name);
    return instances.map((instance) => ({ ...instance, watchedMs: now - (seenAt.get(keyOf(instance)) ?? now) }));
  }
}

function keyOf({ id, state }: TestInstance): string {
  return `${id} ${state}`;
}
