/** What a loop does with one key. It may answer after how many milliseconds it wants to look again. */
type Reconcile = (key: string, signal: AbortSignal) => Promise<number | undefined>;

export interface WorkLoopOptions {
  readonly reconcile: Reconcile;
  /** Told of every failure; the key is tried again later. */
  readonly onFailure: (key: string, error: unknown) => void;
  /** So many keys are worked on at a time; never the same one twice. */
  readonly concurrency?: number;
}

const FIRST_RETRY_MS = 20;
const LAST_RETRY_MS = 30_000;

/** Works off keys. A key that is added again while it waits is worked on once, and one that fails comes back later. */
export class WorkLoop implements AsyncDisposable {
  readonly #options: WorkLoopOptions;
  readonly #stopping = new AbortController();
  readonly #waiting = new Set<string>();
  readonly #running = new Map<string, Promise<void>>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, { readonly timer: NodeJS.Timeout; readonly at: number }>();
  readonly #idlers = new Set<() => void>();

  constructor(options: WorkLoopOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#stopping.signal.aborted) return;
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
    while (this.#running.size + this.#waiting.size > 0) {
      await new Promise<void>((resolve) => this.#idlers.add(resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    this.#waiting.clear();
    for (const { timer } of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    await Promise.all(this.#running.values());
  }

  #pump(): void {
    const { concurrency = 4 } = this.#options;
    for (const key of this.#waiting) {
      if (this.#running.size >= concurrency) return;
      if (this.#running.has(key)) continue;
      this.#waiting.delete(key);
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
    if (this.#running.size + this.#waiting.size > 0) return;
    const idlers = [...this.#idlers];
    this.#idlers.clear();
    for (const resolve of idlers) resolve();
  }

  async #work(key: string): Promise<void> {
    const { signal } = this.#stopping;
    try {
      const again = await this.#options.reconcile(key, signal);
      this.#failures.delete(key);
      if (again !== undefined) this.addAfter(key, again);
    } catch (error) {
      if (signal.aborted) return;
      const failures = this.#failures.get(key) ?? 0;
      this.#failures.set(key, failures + 1);
      this.#options.onFailure(key, error);
      this.addAfter(key, Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(failures, 20)));
    }
  }
}
