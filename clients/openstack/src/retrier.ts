import type { Clock } from './clock.ts';
import { OpenStackError } from './openstack-error.ts';
import { decideRetry, type Renewal } from './retry.ts';

export interface RetrierOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly maxAttempts: number;
  /** Ends all waits, when the client is closed. */
  readonly lifetime: AbortSignal;
}

export interface RetriedCall {
  /** The call in the words of errors. */
  readonly what: string;
  /** Whether it may be made twice without harm. */
  readonly isSafe: boolean;
  /** Whether making it twice does harm that nothing can undo. */
  readonly isOnce: boolean;
  readonly signal: AbortSignal | undefined;
  /** How to forget what may be stale, so that the next attempt gets it anew. */
  readonly renewals: ReadonlyMap<Renewal, () => void>;
}

/** Makes requests again where that can help and cannot harm. */
export class Retrier {
  readonly #options: RetrierOptions;

  constructor(options: RetrierOptions) {
    this.#options = options;
  }

  /** `prepare` gets what an attempt needs. It sees to its own retries, so that attempts do not multiply. */
  async run<P, T>(call: RetriedCall, prepare: () => Promise<P>, attempt: (prepared: P) => Promise<T>): Promise<T> {
    const renewals = new Map(call.renewals);
    let count = 1;
    while (true) {
      const prepared = await prepare();
      try {
        return await attempt(prepared);
      } catch (error) {
        if (!(error instanceof OpenStackError)) throw error;
        const { maxAttempts, random } = this.#options;
        const state = {
          isSafe: call.isSafe,
          isOnce: call.isOnce,
          count,
          maxAttempts,
          renewals: new Set(renewals.keys()),
        };
        const step = decideRetry(error, state, random());
        switch (step.kind) {
          case 'give-up':
            throw error;
          case 'renew':
            renewals.get(step.what)?.();
            renewals.delete(step.what);
            break;
          case 'wait':
            await this.#wait(step.delayMs, call);
            count++;
        }
      }
    }
  }

  async #wait(delayMs: number, { what, signal }: RetriedCall): Promise<void> {
    const { clock, lifetime } = this.#options;
    try {
      await clock.wait(delayMs, signal === undefined ? lifetime : AbortSignal.any([signal, lifetime]));
    } catch (cause) {
      const why = lifetime.aborted ? 'the client is closed' : 'given up by the caller';
      throw new OpenStackError('aborted', `${what}: ${why}`, { cause });
    }
  }
}
