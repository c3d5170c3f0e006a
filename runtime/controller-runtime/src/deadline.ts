import type { Clock } from './clock.ts';

/**
 * A signal that fires with another one, or after a while. Disposing of it leaves nothing behind, neither a timer nor a
 * listener, and there may be many: `AbortSignal.timeout` would keep each until its time has come.
 */
export class Deadline implements Disposable {
  readonly signal: AbortSignal;
  readonly #cleanUp: DisposableStack | undefined;
  #hasPassed = false;

  constructor(parent: AbortSignal, timeoutMs: number | undefined, clock: Clock) {
    if (timeoutMs === undefined) {
      this.signal = parent;
      return;
    }
    const controller = new AbortController();
    this.#cleanUp = new DisposableStack();
    this.signal = controller.signal;
    const onAbort = (): void => controller.abort(parent.reason);
    parent.addEventListener('abort', onAbort, { once: true });
    this.#cleanUp.defer(() => parent.removeEventListener('abort', onAbort));
    if (parent.aborted) onAbort();
    const onTimeout = (): void => {
      this.#hasPassed = !parent.aborted;
      controller.abort(new DOMException(`it took longer than ${timeoutMs} ms`, 'TimeoutError'));
    };
    this.#cleanUp.defer(clock.later(timeoutMs, onTimeout));
  }

  /** Whether the time is up. */
  get hasPassed(): boolean {
    return this.#hasPassed;
  }

  [Symbol.dispose](): void {
    this.#cleanUp?.dispose();
  }
}
