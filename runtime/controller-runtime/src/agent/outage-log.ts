import type { Logger } from '@smalt/service-runtime';

import type { Clock } from '../clock.ts';

/** Something that comes and goes all the time is not worth a line each time. */
const QUIET_MS = 60_000;
/** What lasts is told again so often. */
const AGAIN_MS = 3_600_000;
const MOST_REASONS = 100;

export interface Failure {
  /** What makes this reason differ from others. */
  readonly key: string;
  readonly error: unknown;
  /** What cannot be done, why, and what to do about it. */
  readonly text: string;
}

interface Told {
  readonly at: number;
  readonly isOver: boolean;
}

/** Tells of an outage in the log: each reason once, an hour later again, and when it is over. */
export class OutageLog {
  readonly #logger: Logger;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #told = new Map<string, Told>();

  constructor(logger: Logger, clock: Pick<Clock, 'monotonic'>) {
    this.#logger = logger;
    this.#clock = clock;
  }

  fail({ key, error, text }: Failure): void {
    const at = this.#clock.monotonic();
    const told = this.#told.get(key);
    if (told !== undefined && at - told.at < (told.isOver ? QUIET_MS : AGAIN_MS)) {
      this.#logger.debug({ error }, text);
      return;
    }
    if (this.#told.size >= MOST_REASONS) this.#told.clear();
    this.#told.set(key, { at, isOver: false });
    this.#logger.warn({ error }, text);
  }

  /** The next failure is that of another outage. Says so if this one was told of. */
  end(text: string): void {
    const open = [...this.#told].filter(([, { isOver }]) => !isOver);
    if (open.length === 0) return;
    for (const [key, { at }] of open) this.#told.set(key, { at, isOver: true });
    this.#logger.info({}, text);
  }
}
