import type { StreamHole } from '../libvirt-stream.ts';

/** What any item counts for beside its bytes, so that a flood of tiny packets or of holes is bounded too. */
const ITEM_BYTES = 64;

/** What came in on a stream and has not been read yet. It says when it is too much, and when there is room again. */
export class StreamBuffer {
  readonly #maxBytes: number;
  readonly #onFull: (isFull: boolean) => void;
  #items: (Uint8Array | StreamHole)[] = [];
  #bytes = 0;
  #isFull = false;
  #isComplete = false;
  #arrival: PromiseWithResolvers<void> | undefined;

  constructor(maxBytes: number, onFull: (isFull: boolean) => void) {
    this.#maxBytes = maxBytes;
    this.#onFull = onFull;
  }

  /** Whether the daemon has sent all it had; what is buffered may still have to be read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Adds what arrived. An empty packet is how the daemon says that it has sent all. */
  push(item: Uint8Array | StreamHole): void {
    if (item instanceof Uint8Array && item.length === 0) this.#isComplete = true;
    else this.#items.push(item);
    this.#bytes += sizeOf(item);
    if (this.#bytes > this.#maxBytes) this.#setFull(true);
    this.wake();
  }

  shift(): Uint8Array | StreamHole | undefined {
    const item = this.#items.shift();
    if (item === undefined) return undefined;
    this.#bytes -= sizeOf(item);
    if (this.#bytes <= this.#maxBytes / 2) this.#setFull(false);
    return item;
  }

  clear(): void {
    this.#items = [];
    this.#bytes = 0;
    this.#setFull(false);
    this.wake();
  }

  /** Resolves at the next `push`, `clear` or `wake`. */
  arrival(): Promise<void> {
    this.#arrival ??= Promise.withResolvers<void>();
    return this.#arrival.promise;
  }

  wake(): void {
    this.#arrival?.resolve();
    this.#arrival = undefined;
  }

  #setFull(isFull: boolean): void {
    if (this.#isFull === isFull) return;
    this.#isFull = isFull;
    this.#onFull(isFull);
  }
}

function sizeOf(item: Uint8Array | StreamHole): number {
  return item instanceof Uint8Array ? item.length + ITEM_BYTES : ITEM_BYTES;
}
