import { seededRandom } from '../chaos/seeded-random.ts';

/** All chance of one story. The same seed throws the same numbers, as long as they are asked for in the same order. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** A number from 0 up to but not including 1. */
  throw(): number {
    return this.#random();
  }

  chance(probability: number): boolean {
    return this.#random() < probability;
  }

  /** A whole number from the first to the last, both included. */
  between(first: number, last: number): number {
    return first + Math.floor(this.#random() * (last - first + 1));
  }

  pick<T>(things: readonly T[]): T {
    const thing = things[Math.floor(this.#random() * things.length)];
    if (thing === undefined) throw new RangeError('there is nothing to pick from');
    return thing;
  }

  /** Each of the things with this probability, in their order. */
  some<T>(things: readonly T[], probability: number): readonly T[] {
    return things.filter(() => this.chance(probability));
  }

  /** One of the things, by weight. */
  weighted<T>(things: readonly (readonly [T, number])[]): T {
    let rest = this.#random() * things.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [thing, weight] of things) {
      rest -= weight;
      if (rest < 0) return thing;
    }
    return this.pick(things)[0];
  }
}
