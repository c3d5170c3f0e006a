import type { Clock } from '@smalt/controller-runtime';
import type { Answer } from '@smalt/switch-health';

import { known, unknown } from './answer.ts';
import type { SourceMetrics } from './source-metrics.ts';

const ANSWER_MS = 10_000;

export interface GuestWatchOptions {
  readonly uri: string;
  readonly pollMs: number;
  readonly clock: Clock;
  readonly metrics: SourceMetrics;
}

/** The devices of all guests that libvirt knows, running or not. */
export class GuestWatch {
  readonly #options: GuestWatchOptions;
  readonly #listeners = new Set<() => void>();
  #answer: Answer<ReadonlySet<string>>;

  constructor(options: GuestWatchOptions) {
    this.#options = options;
    this.#answer = unknown('libvirt was not asked yet', undefined, options.clock);
  }

  get answer(): Answer<ReadonlySet<string>> {
    return this.#answer;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { uri, pollMs, clock, metrics } = this.#options;
    // Only a node that wants this has to pay for it.
    const { connect } = await import('@smalt/libvirt');
    const { readGuestDevices } = await import('./read-guest-devices.ts');
    while (!signal.aborted) {
      try {
        await using connection = await connect(uri, { signal, connectTimeoutMs: ANSWER_MS });
        this.#answer = known(await readGuestDevices(connection, { signal, timeoutMs: ANSWER_MS }), clock);
      } catch (error) {
        if (signal.aborted) return;
        metrics.countFailure('guests');
        this.#answer = unknown(error, this.#answer, clock);
      }
      for (const listener of this.#listeners) listener();
      await clock.wait(pollMs, signal).catch(() => undefined);
    }
  }
}
