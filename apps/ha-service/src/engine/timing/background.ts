import { messageOf, type Ignore, type Logger } from '@smalt/service-runtime';

import { isLeadLost } from '../../ha-service-error.ts';

interface BackgroundOptions {
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly signal: AbortSignal;
  /** Told of the only failure that ends everything. */
  readonly onLeadLost: (error: unknown) => void;
}

/**
 * What the engine does beside its loops. A task that fails is noted and holds up nobody; only one that finds the lead lost
 * ends the engine.
 */
export class Background {
  readonly #options: BackgroundOptions;
  readonly #running = new Map<string, Promise<void>>();

  constructor(options: BackgroundOptions) {
    this.#options = options;
  }

  isRunning(name: string): boolean {
    return this.#running.has(name);
  }

  /** How many tasks whose names begin like this are under way. */
  count(prefix: string): number {
    let count = 0;
    for (const name of this.#running.keys()) if (name.startsWith(prefix)) count += 1;
    return count;
  }

  /** Starts a task, unless one of this name is under way. */
  start(name: string, run: (signal: AbortSignal) => Promise<void>): void {
    const { signal } = this.#options;
    if (signal.aborted || this.#running.has(name)) return;
    const task = this.#guard(name, run).finally(() => this.#running.delete(name));
    this.#running.set(name, task);
  }

  /** Resolves when nothing is under way any more. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  async #guard(name: string, run: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { logger, ignore, signal, onLeadLost } = this.#options;
    try {
      await run(signal);
    } catch (error) {
      if (signal.aborted) return ignore(error, 'the engine stops');
      if (isLeadLost(error)) return onLeadLost(error);
      logger.error({ task: name, error: messageOf(error) }, 'a task of the engine failed');
    }
  }
}
