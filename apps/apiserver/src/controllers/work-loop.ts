/**
 * What a loop does with one key. It may answer after how many milliseconds it wants to look again, or with `back-off`
 * that it wants to after a pause, which is longer each time it asks for one in a row.
 */
type Reconcile = (key: string, signal: AbortSignal) => Promise<number | 'back-off' | undefined>;

export interface WorkLoopOptions {
  readonly reconcile: Reconcile;
  /** Told of every failure; the key is tried again later. */
  readonly onFailure: (key: string, error: unknown) => void;
  /** So many keys are worked on at a time; never the same one twice. */
  readonly concurrency?: number;
}

const FIRST_RETRY_MS = 20;
const LAST_RETRY_MS = 30_000;

/**
 * Works off keys. A key that is added again while it waits is worked on once, and one that fails comes back later. No key
 * is begun twice in one turn of the event loop, so keys that call for themselves or each other cannot starve the process.
 */
export class WorkLoop implements AsyncDisposable {
  readonly #options: WorkLoopOptions;
  readonly #stopping = new AbortController();
  readonly #waiting = new Set<string>();
  /** Begun in this turn of the event loop, and of those the ones that were added once more. */
  readonly #begun = new Set<string>();
  readonly #postponed = new Set<string>();
  #nextTurn: NodeJS.Immediate | undefined;
  readonly #running = new Map<string, Promise<void>>();
  readonly #retries = new Map<string, number>();
  readonly #timers = new Map<string, { readonly timer: NodeJS.Timeout; readonly at: number }>();
  readonly #idlers = new Set<() => void>();

  constructor(options: WorkLoopOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#begun.has(key)) {
      this.#postponed.add(key);
      return;
    }
    this.#waiting.add(key);
    this.#pump();
  }

  /** Adds the key later; of several moments the earliest counts. */
  addAfter(key: string, delayMs: number): void {
    if (this.#stopping.signal.aborted) return;
    const at = Date.now() + delayMs;
    const known = this.#timers.get(key);
    if (known !== undefined && known.at <= at) return;
    clearTimeout(known?.timer);
    const timer = setTimeout(() => {
      this.#timers.delete(key);
      this.add(key);
    }, delayMs);
    timer.unref();
    this.#timers.set(key, { timer, at });
  }

  /** Resolves when nothing is being worked on and nothing waits; what comes back later does not count. */
  async idle(): Promise<void> {
    while (this.#isBusy()) {
      await new Promise<void>((resolve) => this.#idlers.add(resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    this.#waiting.clear();
    this.#postponed.clear();
    clearImmediate(this.#nextTurn);
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all(this.#running.values());
    this.#wakeIdlers();
  }

  #isBusy(): boolean {
    return this.#running.size + this.#waiting.size + this.#postponed.size > 0;
  }

  #pump(): void {
    const { concurrency = 4 } = this.#options;
    for (const key of this.#waiting) {
      if (this.#running.size >= concurrency) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
      this.#begun.add(key);
      this.#nextTurn ??= setImmediate(() => this.#turn());
      // The work may add its own key before its first wait.
      this.#running.set(key, Promise.resolve());
      this.#running.set(
        key,
        this.#work(key).finally(() => this.#done(key)),
      );
    }
  }

  #done(key: string): void {
    this.#running.delete(key);
    this.#pump();
    this.#wakeIdlers();
  }

  #turn(): void {
    this.#nextTurn = undefined;
    this.#begun.clear();
    for (const key of this.#postponed) this.#waiting.add(key);
    this.#postponed.clear();
    this.#pump();
  }

  #wakeIdlers(): void {
    if (this.#isBusy()) return;
    const idlers = [...this.#idlers];
    this.#idlers.clear();
    for (const resolve of idlers) resolve();
  }

  async #work(key: string): Promise<void> {
    const { signal } = this.#stopping;
    try {
      const again = await this.#options.reconcile(key, signal);
      if (again === 'back-off') return this.#retry(key);
      this.#retries.delete(key);
      if (again !== undefined) this.addAfter(key, again);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.onFailure(key, error);
      this.#retry(key);
    }
  }

  #retry(key: string): void {
    const retries = this.#retries.get(key) ?? 0;
    this.#retries.set(key, retries + 1);
    this.addAfter(key, Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(retries, 20)));
  }
}
