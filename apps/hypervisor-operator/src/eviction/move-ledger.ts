import { isConditionTrue, type Informer } from '@smalt/controller-runtime';
import type { OtherMoves } from '@smalt/eviction-plan';
import { EvictionConditionType, type Eviction } from '@smalt/fleet-api';

interface Entry {
  readonly count: number;
  readonly targets: readonly string[];
}

/** How many moves are under way for all evictions together, kept so that nobody has to count them all each time. */
export class MoveLedger {
  readonly #evictions: Pick<Informer<Eviction>, 'cache'>;
  readonly #entries = new Map<string, Entry>();
  readonly #perTarget = new Map<string, number>();
  #count = 0;
  #isSeeded = false;

  constructor(evictions: Pick<Informer<Eviction>, 'cache'>) {
    this.#evictions = evictions;
  }

  /** The moves of all evictions but one. */
  others(key: string): OtherMoves {
    this.#seed();
    const own = this.#entries.get(key);
    const ownTo = (name: string): number => own?.targets.filter((each) => each === name).length ?? 0;
    return {
      count: this.#count - (own?.count ?? 0),
      to: (name) => (this.#perTarget.get(name) ?? 0) - ownTo(name),
    };
  }

  /** Takes down how many moves an eviction has under way, and where to, as far as that is known. */
  set(key: string, count: number, targets: readonly string[]): void {
    this.forget(key);
    this.#entries.set(key, { count, targets });
    this.#count += count;
    for (const name of targets) this.#perTarget.set(name, (this.#perTarget.get(name) ?? 0) + 1);
  }

  forget(key: string): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    this.#count -= entry.count;
    for (const name of entry.targets) {
      const rest = (this.#perTarget.get(name) ?? 0) - 1;
      if (rest > 0) this.#perTarget.set(name, rest);
      else this.#perTarget.delete(name);
    }
  }

  /** After a start the moves of before are still under way: the statuses say how many. */
  #seed(): void {
    if (this.#isSeeded) return;
    this.#isSeeded = true;
    for (const { metadata, status } of this.#evictions.cache.list()) {
      // Of one that stands still nobody would ever take the count back.
      const isRunning = isConditionTrue(status?.conditions, EvictionConditionType.evicting);
      const moving = isRunning ? (status?.progress?.moving ?? 0) : 0;
      if (moving > 0 && !this.#entries.has(metadata.name)) this.set(metadata.name, moving, []);
    }
  }
}
