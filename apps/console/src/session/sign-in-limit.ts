import { isIPv6 } from 'node:net';

import type { ConsoleClock } from '../console-clock.ts';

const MINUTE_MS = 60_000;
const MOST_ADDRESSES = 10_000;

interface Bucket {
  readonly left: number;
  readonly at: number;
}

/** Lets each address fail to sign in so often in a minute. Who succeeds gets the attempt back. */
export class SignInLimit {
  readonly #clock: ConsoleClock;
  readonly #perMinute: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: ConsoleClock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  /** Takes one attempt; false when there is none left. */
  take(address: string): boolean {
    const left = this.#left(address);
    if (left < 1) return false;
    this.#put(address, left - 1);
    return true;
  }

  giveBack(address: string): void {
    this.#put(address, Math.min(this.#perMinute, this.#left(address) + 1));
  }

  #left(address: string): number {
    const bucket = this.#buckets.get(networkOf(address));
    if (bucket === undefined) return this.#perMinute;
    const grown = ((this.#clock.now() - bucket.at) * this.#perMinute) / MINUTE_MS;
    return Math.min(this.#perMinute, bucket.left + Math.max(0, grown));
  }

  #put(address: string, left: number): void {
    const network = networkOf(address);
    // Put at the end, so that the first is the one that was quiet longest.
    this.#buckets.delete(network);
    this.#buckets.set(network, { left, at: this.#clock.now() });
    if (this.#buckets.size <= MOST_ADDRESSES) return;
    const [oldest] = this.#buckets.keys();
    if (oldest !== undefined) this.#buckets.delete(oldest);
  }
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
