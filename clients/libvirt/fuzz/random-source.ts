/** Random numbers that are the same for the same seed, so that what was found can be found again. */
export class RandomSource {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0 and less than `end`. */
  integer(end: number): number {
    // Mulberry32: small, fast, and good enough to shake a decoder with.
    this.#state = (this.#state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000) * end);
  }

  /** True once in `count` times. */
  oneIn(count: number): boolean {
    return this.integer(count) === 0;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.integer(items.length)];
    if (item === undefined) throw new RangeError('nothing to pick from');
    return item;
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length);
    for (let at = 0; at < length; at++) bytes[at] = this.integer(256);
    return bytes;
  }
}
