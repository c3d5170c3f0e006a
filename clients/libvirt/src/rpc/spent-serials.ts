const REMEMBERED = 4096;

/**
 * Serials for which messages may still come although nobody waits any more: calls that were given up, streams that
 * ended. The memory is bounded; serials only grow, so for those that had to be forgotten one number is enough.
 */
export class SpentSerials {
  readonly #serials = new Set<number>();
  #forgottenUpTo = 0;

  add(serial: number): void {
    this.#serials.add(serial);
    if (this.#serials.size <= REMEMBERED) return;
    for (const oldest of this.#serials) {
      this.#serials.delete(oldest);
      this.#forgottenUpTo = Math.max(this.#forgottenUpTo, oldest);
      return;
    }
  }

  /** Serials begin at 1 again: what was forgotten so far says nothing about those to come. */
  restart(): void {
    this.#forgottenUpTo = 0;
  }

  has(serial: number): boolean {
    return this.#serials.has(serial) || (serial > 0 && serial <= this.#forgottenUpTo);
  }
}
