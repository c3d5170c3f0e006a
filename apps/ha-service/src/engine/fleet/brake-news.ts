import type { Logger } from '@smalt/service-runtime';

/** Tells in the log when so many hosts are missing that one more would not be recovered, once, and when that is over. */
export class BrakeNews {
  readonly #logger: Logger;
  #isUsedUp = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  take(isUsedUp: boolean): void {
    if (isUsedUp === this.#isUsedUp) return;
    this.#isUsedUp = isUsedUp;
    if (!isUsedUp) this.#logger.info({}, 'a host that fails now is recovered again');
    else
      this.#logger.warn({}, 'as many hosts are missing as may be at once: no other is recovered; see to these first');
  }
}
