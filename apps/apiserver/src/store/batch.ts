import type { StoreEvent } from './store-event.ts';

/** The writes of one turn of the event loop, which become durable together or not at all. */
export class Batch {
  readonly events: StoreEvent[] = [];
  readonly resourceVersionBefore: number;
  /** Rejects when the batch was undone. */
  readonly durable: Promise<void>;
  /** Never rejects; false when the batch was undone. */
  readonly settled: Promise<boolean>;
  readonly #succeed: () => void;
  readonly #fail: (error: Error) => void;
  readonly #timer: NodeJS.Immediate;

  constructor(resourceVersionBefore: number, flush: () => void) {
    this.resourceVersionBefore = resourceVersionBefore;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.durable = promise;
    this.settled = promise.then(
      () => true,
      () => false,
    );
    this.#succeed = resolve;
    this.#fail = reject;
    this.#timer = setImmediate(flush);
  }

  cancel(): void {
    clearImmediate(this.#timer);
  }

  succeed(): void {
    this.#succeed();
  }

  fail(error: Error): void {
    this.#fail(error);
  }
}
