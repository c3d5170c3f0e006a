import type { Clock } from '@smalt/controller-runtime';
import type { Domain } from '@smalt/libvirt';

/** A daemon works on a handful of calls of one client at a time; those that hang must not take all places. */
const READERS = 4;
/** A domain that has not answered by then holds nobody up, while its answer is still waited for. */
const PATIENCE_MS = 5_000;

export interface DomainReadsParts {
  readonly clock: Pick<Clock, 'later'>;
  /** Reads one domain, and keeps what it says. */
  readonly read: (domain: Domain) => Promise<void>;
  /** Told that a domain is not read in time: it does not answer, or those that do not are in its way. */
  readonly onLate: (domain: Domain) => void;
}

/** One look at a domain. */
export interface DomainRead {
  /** Settles with the read itself. */
  readonly done: Promise<void>;
  /** Resolves when it is late as well. */
  readonly soon: Promise<void>;
}

interface Waiting {
  readonly domain: Domain;
  readonly done: PromiseWithResolvers<void>;
  readonly soon: PromiseWithResolvers<void>;
}

/** Reads domains, a few at a time, and none of them twice at once. */
export class DomainReads {
  readonly #parts: DomainReadsParts;
  readonly #waiting = new Map<string, Waiting>();
  /** Those that are asked now; true for those whose answer is late. */
  readonly #asked = new Map<string, boolean>();

  constructor(parts: DomainReadsParts) {
    this.#parts = parts;
  }

  /** Reads one domain anew. Two who ask at once get an answer that is no older than either question. */
  ask(domain: Domain): DomainRead {
    const waiting = this.#waiting.get(domain.uuid) ?? this.#enqueue(domain);
    this.#go();
    return { done: waiting.done.promise, soon: waiting.soon.promise };
  }

  /** Whether an answer is still to come in time. */
  isAwaited(uuid: string): boolean {
    return this.#waiting.has(uuid) || this.#asked.get(uuid) === false;
  }

  #enqueue(domain: Domain): Waiting {
    const waiting = { domain, done: Promise.withResolvers<void>(), soon: Promise.withResolvers<void>() };
    waiting.done.promise.then(waiting.soon.resolve, waiting.soon.reject);
    // Not everybody who asks waits for both; whoever waits is told.
    waiting.soon.promise.catch(() => undefined);
    this.#waiting.set(domain.uuid, waiting);
    return waiting;
  }

  /** Asks as many as may be asked; those that none of them makes room for are late. */
  #go(): void {
    for (const [uuid, waiting] of this.#waiting) {
      if (this.#asked.size >= READERS) break;
      if (this.#asked.has(uuid)) continue;
      this.#waiting.delete(uuid);
      this.#begin(waiting);
    }
    const isStuck = this.#asked.size >= READERS && [...this.#asked.values()].every(Boolean);
    for (const [uuid, waiting] of this.#waiting) {
      if (isStuck || this.#asked.get(uuid) === true) this.#tellLate(waiting);
    }
  }

  #begin(waiting: Waiting): void {
    const { domain, done } = waiting;
    this.#asked.set(domain.uuid, false);
    const cancel = this.#parts.clock.later(PATIENCE_MS, () => {
      this.#asked.set(domain.uuid, true);
      this.#tellLate(waiting);
      this.#go();
    });
    const end = (): void => {
      cancel();
      this.#asked.delete(domain.uuid);
      this.#go();
    };
    this.#parts.read(domain).then(done.resolve, done.reject).finally(end);
  }

  #tellLate({ domain, soon }: Waiting): void {
    this.#parts.onLate(domain);
    soon.resolve();
  }
}
