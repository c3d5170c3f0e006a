import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

import type { ConsoleClock } from '../console-clock.ts';

const GOOD_FOR_MS = 15 * 60_000;
const CODE_BYTES = 24;
/** Somebody who makes more at a time makes the oldest worthless. */
const MOST_CODES = 1_000;

interface Entry {
  readonly hash: Buffer;
  readonly token: string;
  readonly until: number;
}

/** What a code was good for. */
export interface TakenEntry {
  readonly token: string;
  /** Makes the code good again for the rest of its time: it was not the link that failed. */
  putBack(): void;
}

/** Codes of one-time links. Only their hashes are kept, and none of them outlives the process. */
export class EntryCodes {
  readonly #clock: ConsoleClock;
  #entries: readonly Entry[] = [];

  constructor(clock: ConsoleClock) {
    this.#clock = clock;
  }

  /** A new code for a token. */
  create(token: string): string {
    const code = randomBytes(CODE_BYTES).toString('base64url');
    const entry = { hash: hashOf(code), token, until: this.#clock.now() + GOOD_FOR_MS };
    this.#entries = [...this.#good(), entry].slice(-MOST_CODES);
    return code;
  }

  /** The entry of a code, once; undefined for any other. Every code is compared, so the time it takes tells nothing. */
  take(code: string): TakenEntry | undefined {
    const hash = hashOf(code);
    const good = this.#good();
    const found = good.filter((entry) => timingSafeEqual(entry.hash, hash));
    this.#entries = good.filter((entry) => !found.includes(entry));
    const [entry] = found;
    if (entry === undefined) return undefined;
    return { token: entry.token, putBack: () => (this.#entries = [...this.#good(), entry].slice(-MOST_CODES)) };
  }

  #good(): readonly Entry[] {
    const now = this.#clock.now();
    return this.#entries.filter(({ until }) => now < until);
  }
}

function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
