const REMEMBERED = 4096;

/**
 * Serials for which messages may still come although nobody waits any more: calls that were given up, streams that
 * ended. The memory is bounded; serials only grow, so for those that had to be forgotten one number is enough.
 */
export class SpentSerials {
  readonly #serials = new Set<number>();
  /** Not bounded by itself: only long calls come with one, and no more of those are made than there are places. */
  readonly #onAnswered = new Map<number, () => void>();
  #forgottenUpTo = 0;

  /** `onAnswered` runs when the daemon answers after all, or when it cannot any more. */
  add(serial: number, onAnswered?: () => void): void {
    if (onAnswered !== undefined) this.#onAnswered.set(serial, onAnswered);
    this.#serials.add(serial);
    if (this.#serials.size <= REMEMBERED) return;
    for (const oldest of this.#serials) {
      this.#serials.delete(oldest);
      this.#forgottenUpTo = Math.max(this.#forgottenUpTo, oldest);
      return;
    }
  }

  /** The daemon has answered after all. */
  answered(serial: number): void {
    this.#onAnswered.get(serial)?.();
    this.#onAnswered.delete(serial);
  }

  /** The connection is gone: there will be no answers. */
  release(): void {
    for (const serial of this.#onAnswered.keys()) this.answered(serial);
  }

  /** Serials begin at 1 again: what was forgotten so far says nothing about those to come. */
  restart(): void {
    this.#forgottenUpTo = 0;
  }

  has(serial: number): boolean {
    return this.#serials.has(serial) || (serial > 0 && serial <= this.#forgottenUpTo);
  }
}
