import type { Clock } from '@smalt/controller-runtime';
import type { DomainFacts, HostCapabilities } from '@smalt/hypervisor-facts';
import { type Domain, type LibvirtSession } from '@smalt/libvirt';

import { compareDomains } from './compare-domains.ts';
import { withoutAnswer, type DomainSigns, type KnownDomain } from './known-domain.ts';
import { readDomain, type ReadOutcome } from './read-domain.ts';

// Not imported: an import of the module runs all its getters, which load worker threads.
const { isDeepStrictEqual } = process.getBuiltinModule('node:util');

/** A daemon works on a handful of calls of one client at a time; more would only wait there. */
const READERS = 4;
/** A domain that has not answered by then counts by what is known without it, while the answer is still waited for. */
const PATIENCE_MS = 2_000;
const TIMEOUT_MS = 20_000;

export interface DomainTableParts {
  readonly session: LibvirtSession;
  readonly clock: Pick<Clock, 'later'>;
  /** After which the answer of a domain is waited for no more; 20 s if not given. */
  readonly timeoutMs?: number | undefined;
  /** Told when a domain that was too slow for `read` has changed what is known, or lets others be read. */
  readonly onLate: () => void;
}

/** The domains of a host as they were last read, and those that have to be read again. */
export class DomainTable {
  readonly #parts: DomainTableParts;
  readonly #known = new Map<string, KnownDomain>();
  readonly #marked = new Map<string, Domain>();
  /** Those that are asked now; true for those whose answer is late. No domain is asked twice at a time. */
  readonly #asked = new Map<string, boolean>();
  /** Those that did not answer when they were asked last. */
  readonly #silent = new Map<string, Domain>();

  constructor(parts: DomainTableParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#known.size;
  }

  /** Whether the next `read` has something to do. */
  get hasReadable(): boolean {
    return this.#next() !== undefined;
  }

  /** The domain is read again by the next `read`, once however often it is marked. */
  mark(domain: Domain): void {
    this.#marked.set(domain.uuid, domain);
  }

  /** Takes the place of all that is known: every domain listed is read, those that are not are forgotten. */
  markAll(listed: readonly Domain[]): void {
    this.#marked.clear();
    for (const domain of listed) this.mark(domain);
    for (const uuid of this.#known.keys()) if (!this.#marked.has(uuid)) this.#forget(uuid);
  }

  /** Marks what differs from what a poll saw, and remembers what it saw. Returns whether any domain is gone. */
  compare(listed: readonly Domain[], signs: ReadonlyMap<string, DomainSigns>): boolean {
    const { changed, gone } = compareDomains(this.#known, listed, signs);
    for (const uuid of gone) this.#forget(uuid);
    for (const domain of changed) {
      if (this.#silent.has(domain.uuid)) this.#relist(domain);
      else this.mark(domain);
    }
    // One at a time: a daemon goes on with what we gave up, and works on a handful of calls only.
    const [silent] = this.#silent.values();
    if (silent !== undefined) this.mark(silent);
    for (const [uuid, seen] of signs) {
      const known = this.#known.get(uuid);
      const merged = { ...known?.signs, ...defined(seen) };
      if (known !== undefined && !isDeepStrictEqual(known.signs, merged)) {
        this.#known.set(uuid, { ...known, signs: merged });
      }
    }
    return gone.length > 0;
  }

  /**
   * Reads what is marked, a few at a time, until nothing is, or until so much time is over that what was read so far
   * should be told. A domain that does not answer holds up neither this nor the others: what it says later is kept then,
   * and `onLate` is told. What could not be read because the connection broke stays marked.
   */
  async read(host: HostCapabilities | undefined, forMs: number, signal: AbortSignal): Promise<void> {
    const over = Promise.withResolvers<void>();
    let isOver = false;
    const cancel = Number.isFinite(forMs)
      ? this.#parts.clock.later(forMs, () => {
          isOver = true;
          over.resolve();
        })
      : undefined;
    const readSome = async (): Promise<void> => {
      for (let domain = this.#take(); domain !== undefined; domain = isOver ? undefined : this.#take()) {
        await this.#ask(domain, host, signal).finally(() => {
          if (isOver) this.#parts.onLate();
        });
      }
    };
    try {
      await Promise.race([Promise.all(Array.from({ length: READERS }, readSome)), over.promise]);
    } finally {
      cancel?.();
    }
    if (this.#isStuck) for (const domain of this.#marked.values()) this.#countWithout(domain);
  }

  domains(): readonly DomainFacts[] {
    return Array.from(this.#known.values(), ({ uuid, name, id, use }) => ({ id: uuid, name, active: id >= 0, use }));
  }

  /** Resolves when the domain was read, or is late. */
  async #ask(domain: Domain, host: HostCapabilities | undefined, signal: AbortSignal): Promise<void> {
    const { session, clock, timeoutMs = TIMEOUT_MS, onLate } = this.#parts;
    const { uuid } = domain;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const cancel = clock.later(PATIENCE_MS, () => {
      this.#asked.set(uuid, true);
      this.#countWithout(domain);
      resolve();
      onLate();
    });
    const end = (): void => {
      cancel();
      if (this.#asked.get(uuid) === true) onLate();
      this.#asked.delete(uuid);
      resolve();
    };
    this.#asked.set(uuid, false);
    readDomain(session, domain, host, { signal, timeoutMs })
      .then((outcome) => this.#keep(domain, outcome))
      .catch((error: unknown) => {
        if (!this.#marked.has(uuid)) this.mark(domain);
        reject(error);
      })
      .finally(end);
    await promise;
  }

  #keep(domain: Domain, outcome: ReadOutcome): void {
    const { uuid } = domain;
    // A list has told meanwhile that it is no more.
    if (this.#asked.get(uuid) === true && !this.#known.has(uuid)) return;
    switch (outcome.kind) {
      case 'gone':
        this.#forget(uuid);
        return;
      case 'silent':
        // It is asked again by a poll; what happened to it meanwhile would only ask at once.
        this.#marked.delete(uuid);
        this.#silent.set(uuid, domain);
        this.#known.set(uuid, withoutAnswer(this.#known.get(uuid), domain, outcome.reason));
        return;
      case 'read':
        this.#known.set(uuid, outcome.domain);
        if (!this.#silent.delete(uuid)) return;
        // Whatever made domains silent seems to be over.
        for (const other of this.#silent.values()) this.mark(other);
    }
  }

  #countWithout(domain: Domain): void {
    if (this.#silent.has(domain.uuid)) return;
    this.#known.set(domain.uuid, withoutAnswer(this.#known.get(domain.uuid), domain, 'no answer yet'));
  }

  #relist(domain: Domain): void {
    const { uuid, name, id } = domain;
    const known = this.#known.get(uuid);
    this.#silent.set(uuid, domain);
    if (known !== undefined) this.#known.set(uuid, { ...known, name, id });
  }

  #forget(uuid: string): void {
    this.#known.delete(uuid);
    this.#silent.delete(uuid);
  }

  /** Whether so many domains do not answer that no other one can be asked. */
  get #isStuck(): boolean {
    return this.#asked.size >= READERS && [...this.#asked.values()].every(Boolean);
  }

  // What happens to the domain from now on marks it anew.
  #take(): Domain | undefined {
    const domain = this.#next();
    if (domain !== undefined) this.#marked.delete(domain.uuid);
    return domain;
  }

  #next(): Domain | undefined {
    if (this.#asked.size >= READERS) return undefined;
    for (const domain of this.#marked.values()) if (!this.#asked.has(domain.uuid)) return domain;
    return undefined;
  }
}

function defined(signs: DomainSigns): DomainSigns {
  return Object.fromEntries(Object.entries(signs).filter(([, value]) => value !== undefined));
}
