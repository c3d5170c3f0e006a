import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';

import type { ConsoleClock } from '../console-clock.ts';
import { ConsoleError } from '../console-error.ts';
import { Allowance } from './allowance.ts';

/** How long an attempt waits once its address has failed too often. */
const SLOW_MS = 2_000;
/** More do not wait at a time for one address: so many attempts in those two seconds are the most the API server is asked. */
const MOST_WAITING = 100;

/** One attempt to sign in. It counts as a failure until it is forgiven. */
export interface SignInAttempt {
  /** Says what is shown. Throws `too-many-requests` for a token or code that has failed too often by itself. */
  show(secret: string): void;
  /** It was none, or says nothing of who tried. */
  forgive(): void;
}

/**
 * Holds up those who fail to sign in. A token that fails again and again is refused. An address is only slowed down: behind a proxy
 * it is that of everybody, and nobody may shut out the others.
 */
export class SignInLimit {
  readonly #clock: ConsoleClock;
  readonly #perMinute: number;
  readonly #addresses: Allowance;
  readonly #secrets: Allowance;
  readonly #waiting = new Map<string, number>();

  constructor(clock: ConsoleClock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
    this.#addresses = new Allowance(clock, perMinute);
    this.#secrets = new Allowance(clock, perMinute);
  }

  /** Begins an attempt, after a while where the address has failed too often. */
  async begin(address: string, signal: AbortSignal): Promise<SignInAttempt> {
    const network = networkOf(address);
    const isTaken = this.#addresses.take(network);
    if (!isTaken) await this.#slow(network, signal);
    const shown = new Set<string>();
    return {
      show: (secret) => {
        const hash = createHash('sha256').update(secret).digest('base64');
        if (!this.#secrets.take(hash)) throw tooMany(`this has failed ${this.#perMinute} times in a minute`);
        shown.add(hash);
      },
      forgive: () => {
        if (isTaken) this.#addresses.giveBack(network);
        for (const hash of shown) this.#secrets.giveBack(hash);
      },
    };
  }

  async #slow(network: string, signal: AbortSignal): Promise<void> {
    const waiting = this.#waiting.get(network) ?? 0;
    if (waiting >= MOST_WAITING) throw tooMany(`${MOST_WAITING} attempts to sign in wait for this address already`);
    this.#waiting.set(network, waiting + 1);
    try {
      await this.#clock.wait(SLOW_MS, signal);
    } finally {
      const left = (this.#waiting.get(network) ?? 1) - 1;
      if (left === 0) this.#waiting.delete(network);
      else this.#waiting.set(network, left);
    }
  }
}

function tooMany(why: string): ConsoleError {
  return new ConsoleError('too-many-requests', `${why}: wait a moment, and try again`);
}

/** One who has an IPv6 address usually has 2^64 of them. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail] = address.split('::');
  const front = head.split(':').filter((part) => part !== '');
  const back = (tail ?? '').split(':').filter((part) => part !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  return [...front, ...zeros, ...back].slice(0, 4).join(':');
}
