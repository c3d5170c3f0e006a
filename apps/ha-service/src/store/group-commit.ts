import { isStoreError } from '@smalt/store';

/** How much goes into one transaction at most. */
export interface GroupLimits {
  readonly items: number;
  readonly weight: number;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly weight: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Writes what comes at the same time in one transaction, and answers each when it is stored. Nobody waits for others to come:
 * what came in this turn of the event loop, or while the transaction before was under way, goes together.
 */
export class GroupCommit<Item, Answer> {
  readonly #write: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly #limits: GroupLimits;
  #waiting: Waiting<Item, Answer>[] = [];
  #isBusy = false;

  constructor(write: (items: readonly Item[]) => Promise<readonly Answer[]>, limits: GroupLimits) {
    this.#write = write;
    this.#limits = limits;
  }

  /** Who gives up does not hear of it, but it may be stored all the same. */
  async add(item: Item, weight: number, signal: AbortSignal): Promise<Answer> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const giveUp = (): void => reject(signal.reason);
    signal.addEventListener('abort', giveUp, { once: true });
    this.#waiting.push({ item, weight, resolve, reject });
    if (!this.#isBusy) {
      this.#isBusy = true;
      setImmediate(() => void this.#writeAll());
    }
    try {
      return await promise;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) await this.#writeGroup(this.#takeGroup());
    this.#isBusy = false;
  }

  #takeGroup(): readonly Waiting<Item, Answer>[] {
    const { items, weight } = this.#limits;
    let [count, sum] = [0, 0];
    for (const each of this.#waiting) {
      sum += each.weight;
      if (count > 0 && (count === items || sum > weight)) break;
      count++;
    }
    const group = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    return group;
  }

  async #writeGroup(group: readonly Waiting<Item, Answer>[]): Promise<void> {
    try {
      const answers = await this.#write(group.map(({ item }) => item));
      for (const [index, answer] of answers.entries()) group[index]?.resolve(answer);
    } catch (error) {
      const isFaultOfOne = isStoreError(error, 'invalid-value') || isStoreError(error, 'duplicate');
      if (isFaultOfOne && group.length > 1) {
        for (const each of group) await this.#writeGroup([each]);
        return;
      }
      for (const { reject } of group) reject(error);
    }
  }
}
