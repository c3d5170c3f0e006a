import type { Database } from './database.ts';

// So few are moved in some milliseconds, less than the time between two writes of a server that has not much to do.
const PAGES_WHEN_QUIET = 250;
const QUIET_MS = 5;
// With more to do it is cheaper to move many at a time: most pages were written more than once by then.
const PAGES_WHEN_BUSY = 2000;

/**
 * Moves the log of the store into its file, between commits: when nothing is written for a moment, or when the log gets
 * long. No commit takes longer for it, so no writer and no watcher waits.
 */
export class Checkpoints implements Disposable {
  readonly #database: Pick<Database, 'logPages' | 'checkpoint'>;
  readonly #onError: (error: unknown) => void;
  #pause: NodeJS.Timeout | undefined;
  #turn: NodeJS.Immediate | undefined;

  constructor(database: Pick<Database, 'logPages' | 'checkpoint'>, onError: (error: unknown) => void) {
    this.#database = database;
    this.#onError = onError;
  }

  /** To be called after each commit, when everybody has been told. */
  committed(): void {
    const pages = this.#database.logPages;
    if (pages < PAGES_WHEN_QUIET) return;
    if (pages >= PAGES_WHEN_BUSY) this.#turn ??= setImmediate(() => this.#run());
    else if (this.#pause === undefined) this.#pause = setTimeout(() => this.#run(), QUIET_MS).unref();
    else this.#pause.refresh();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#pause);
    clearImmediate(this.#turn);
  }

  #run(): void {
    this[Symbol.dispose]();
    this.#pause = undefined;
    this.#turn = undefined;
    try {
      this.#database.checkpoint();
    } catch (error) {
      this.#onError(error);
    }
  }
}
