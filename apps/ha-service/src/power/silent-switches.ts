import type { Logger } from '@smalt/service-runtime';

import type { PowerReport } from './power.ts';

/** Tells in the log why a power switch cannot be asked, once, and when it can be again: a metric says no more than that it is so. */
export class SilentSwitches {
  readonly #logger: Logger;
  readonly #silent = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  take(host: string, reports: readonly PowerReport[]): void {
    for (const { method, isReachable, message } of reports) {
      const key = `${host} ${method}`;
      if (isReachable !== this.#silent.has(key)) continue;
      if (isReachable) {
        this.#silent.delete(key);
        this.#logger.info({ host, method }, 'a power switch can be asked again');
      } else {
        this.#silent.add(key);
        this.#logger.warn(
          { host, method, reason: message },
          'a power switch cannot be asked: mend that before its host dies',
        );
      }
    }
  }
}
