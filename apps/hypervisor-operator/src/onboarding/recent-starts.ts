import type { Clock, Informer } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';

/**
 * When test instances were last asked for. One that was asked for without an answer may show up only after a while, and
 * until then there must be no other.
 */
export class RecentStarts {
  readonly #clock: Clock;
  readonly #startedAt = new Map<string, number>();

  constructor(hypervisors: Pick<Informer<Hypervisor>, 'onChange'>, clock: Clock) {
    this.#clock = clock;
    hypervisors.onChange(({ key, current }) => {
      if (current === undefined) this.#startedAt.delete(key);
    });
  }

  note({ metadata }: Hypervisor): void {
    this.#startedAt.set(metadata.name, this.#clock.monotonic());
  }

  /** It is certain that none was started. */
  forget({ metadata }: Hypervisor): void {
    this.#startedAt.delete(metadata.name);
  }

  /** How long ago the last one was asked for; infinity if there was none. */
  ageMs({ metadata }: Hypervisor): number {
    return this.#clock.monotonic() - (this.#startedAt.get(metadata.name) ?? Number.NEGATIVE_INFINITY);
  }
}
