import type { Clock, Informer } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';

interface Verified {
  readonly uid: string | undefined;
  readonly wanted: string;
  readonly until: number;
}

/**
 * What the compute system was last seen to agree with, by hypervisor. It saves a look with every change of a status; what
 * others changed behind our back is found when the time is up.
 */
export class VerifiedStates {
  readonly #clock: Clock;
  readonly #verified = new Map<string, Verified>();

  constructor(hypervisors: Pick<Informer<Hypervisor>, 'onChange'>, clock: Clock) {
    this.#clock = clock;
    hypervisors.onChange(({ key, current }) => {
      if (current === undefined) this.#verified.delete(key);
    });
  }

  /** How long what is wanted counts as seen; 0 when it is time to look. */
  restMs({ metadata }: Hypervisor, wanted: string): number {
    const verified = this.#verified.get(metadata.name);
    if (verified === undefined || verified.wanted !== wanted || verified.uid !== metadata.uid) return 0;
    return Math.max(0, verified.until - this.#clock.monotonic());
  }

  /** Notes that it is as wanted, and for how long that may be believed. */
  remember({ metadata }: Hypervisor, wanted: string, restMs: number): void {
    this.#verified.set(metadata.name, { uid: metadata.uid, wanted, until: this.#clock.monotonic() + restMs });
  }

  /** Makes the next look a real one. */
  forget({ metadata }: Hypervisor): void {
    this.#verified.delete(metadata.name);
  }
}
