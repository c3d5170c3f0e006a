import type { Ignore } from '@smalt/service-runtime';

import type { ConsoleClock } from '../console-clock.ts';

export interface SignOutWriterDeps {
  /** Writes sessions and their ends, in milliseconds since 1970, to where they are kept. */
  readonly write: (ends: ReadonlyMap<string, number>, signal: AbortSignal) => Promise<void>;
  readonly clock: ConsoleClock;
  readonly ignore: Ignore;
  /** Fires when the console stops. */
  readonly stopping: AbortSignal;
}

interface Waiting {
  readonly until: number;
  readonly written: PromiseWithResolvers<boolean>;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;
const MOST_AT_ONCE = 1_000;
/** What still waits when the console stops is known to nobody after it: it is tried once more, for so long. */
const LAST_MS = 2_000;

/** Writes down who signed out: one request at a time, with all that wait, and ever more seldom while it is refused. */
export class SignOutWriter {
  readonly #deps: SignOutWriterDeps;
  readonly #waiting = new Map<string, Waiting>();
  #working: Promise<void> = Promise.resolve();
  #isWorking = false;

  constructor(deps: SignOutWriterDeps) {
    this.#deps = deps;
  }

  /** True when it is written, or the session over by itself; false when the console stops before that. */
  async add(id: string, until: number): Promise<boolean> {
    const known = this.#waiting.get(id);
    if (known !== undefined) return await known.written.promise;
    const written = Promise.withResolvers<boolean>();
    this.#waiting.set(id, { until, written });
    if (!this.#isWorking) this.#working = this.#work();
    return await written.promise;
  }

  /** Resolves when nothing waits any more. */
  async whenIdle(): Promise<void> {
    await this.#working;
  }

  async #work(): Promise<void> {
    const { clock, stopping } = this.#deps;
    this.#isWorking = true;
    let pauseMs = FIRST_PAUSE_MS;
    while (this.#waiting.size > 0 && !stopping.aborted) {
      const isDone = await this.#try(stopping);
      if (!isDone) await clock.wait(pauseMs, stopping).catch(() => undefined);
      pauseMs = isDone ? FIRST_PAUSE_MS : Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
    if (this.#waiting.size > 0) await this.#try(AbortSignal.timeout(LAST_MS));
    this.#settle(this.#waiting, false);
    this.#isWorking = false;
  }

  async #try(signal: AbortSignal): Promise<boolean> {
    const now = this.#deps.clock.now();
    this.#settle(new Map([...this.#waiting].filter(([, { until }]) => until <= now)), true);
    const batch = new Map([...this.#waiting].slice(0, MOST_AT_ONCE));
    if (batch.size === 0) return true;
    try {
      await this.#deps.write(new Map([...batch].map(([id, { until }]) => [id, until])), signal);
      this.#settle(batch, true);
      return true;
    } catch (error) {
      if (!signal.aborted) this.#deps.ignore(error, 'that somebody signed out is written down again');
      return false;
    }
  }

  #settle(settled: ReadonlyMap<string, Waiting>, isWritten: boolean): void {
    for (const [id, { written }] of settled) {
      this.#waiting.delete(id);
      written.resolve(isWritten);
    }
  }
}
