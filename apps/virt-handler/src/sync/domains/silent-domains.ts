import type { Clock, ObjectKey } from '@smalt/controller-runtime';
import type { Domain } from '@smalt/libvirt';

/** A domain that libvirt has, but tells nothing about. It may run, so nothing is decided about its instance. */
export interface SilentDomain {
  /** `namespace/name` of its instance. */
  readonly key: ObjectKey;
  readonly domain: Domain;
  /** When it fell silent, by the clock that never jumps. */
  readonly since: number;
}

/** Why a domain is not known: it is asked still, or it was asked in vain. */
export type Silence = 'late' | 'timeout' | 'error';

interface Kept extends SilentDomain {
  readonly failures: number;
  /** By the same clock; never while an answer is awaited. */
  readonly askAt: number;
}

/** A daemon goes on with what was given up here, and works on a handful of calls only: it is asked rarely then. */
const FIRST_PAUSE_MS: Readonly<Record<Silence, number>> = { late: Infinity, timeout: 60_000, error: 1_000 };
const LONGEST_PAUSE_MS = 300_000;

/** The domains that do not answer, and when each is asked again: later each time. */
export class SilentDomains {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #kept = new Map<string, Kept>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  get ids(): readonly string[] {
    return [...this.#kept.keys()];
  }

  get(uuid: string): SilentDomain | undefined {
    return this.#kept.get(uuid);
  }

  find(key: ObjectKey): SilentDomain | undefined {
    return [...this.#kept.values()].find((silent) => silent.key === key);
  }

  /** Takes in that a domain does not answer. Returns whether that is new. */
  add(domain: Domain, key: ObjectKey, silence: Silence): boolean {
    const now = this.#clock.monotonic();
    const before = this.#kept.get(domain.uuid);
    const failures = (before?.failures ?? 0) + (silence === 'late' ? 0 : 1);
    const first = FIRST_PAUSE_MS[silence];
    const pauseMs = silence === 'late' ? first : Math.min(LONGEST_PAUSE_MS, first * 2 ** (failures - 1));
    this.#kept.set(domain.uuid, { key, domain, since: before?.since ?? now, failures, askAt: now + pauseMs });
    return before === undefined;
  }

  /** Forgets one that has answered, or is gone. Returns whether it was silent. */
  delete(uuid: string): boolean {
    return this.#kept.delete(uuid);
  }

  /** After which time the next one is to be asked; `Infinity` for none. */
  get nextMs(): number {
    const next = Math.min(Infinity, ...Array.from(this.#kept.values(), ({ askAt }) => askAt));
    return Math.max(0, next - this.#clock.monotonic());
  }

  /** Those whose time has come. They count as asked. */
  takeDue(): readonly Domain[] {
    const now = this.#clock.monotonic();
    const due = [...this.#kept.values()].filter(({ askAt }) => askAt <= now);
    for (const each of due) this.#kept.set(each.domain.uuid, { ...each, askAt: Infinity });
    return due.map(({ domain }) => domain);
  }
}
