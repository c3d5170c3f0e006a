import type { StreamHole } from '../libvirt-stream.ts';

/** What any item counts for beside its bytes, so that a flood of tiny packets or of holes is bounded too. */
const ITEM_BYTES = 64;

/** Even who waits for something else behind the data of a stream takes no more than this many times the limit. */
const OVERFULL = 8;

/** `full`: more than allowed is buffered, nothing more should be read. `overfull`: nothing more may be. */
export type BufferLevel = 'free' | 'full' | 'overfull';

/** What came in on a stream and has not been read yet. It tells how full it is when that changes. */
export class StreamBuffer {
  readonly #maxBytes: number;
  readonly #onLevel: (level: BufferLevel) => void;
  #items: (Uint8Array | StreamHole)[] = [];
  #bytes = 0;
  #level: BufferLevel = 'free';
  #isComplete = false;
  #isSealed = false;
  #arrival: PromiseWithResolvers<void> | undefined;

  constructor(maxBytes: number, onLevel: (level: BufferLevel) => void) {
    this.#maxBytes = maxBytes;
    this.#onLevel = onLevel;
  }

  /** Whether the daemon has sent all it had; what is buffered may still have to be read. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** Whether nothing waits for the reader, not even the news that the daemon has sent all. */
  get isEmpty(): boolean {
    return this.#bytes === 0;
  }

  /** Adds what arrived. An empty packet is how the daemon says that it has sent all. */
  push(item: Uint8Array | StreamHole): void {
    if (item instanceof Uint8Array && item.length === 0) this.#isComplete = true;
    else this.#items.push(item);
    this.#bytes += sizeOf(item);
    this.#tellLevel();
    this.wake();
  }

  shift(): Uint8Array | StreamHole | undefined {
    const item = this.#items.shift();
    if (item === undefined) return undefined;
    this.#bytes -= sizeOf(item);
    this.#tellLevel();
    return item;
  }

  /** Nothing more will be pushed: what is there can still be read, but no longer holds anybody up. */
  seal(): void {
    this.#isSealed = true;
    this.#tellLevel();
  }

  clear(): void {
    this.#items = [];
    this.#bytes = 0;
    this.#tellLevel();
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

  #tellLevel(): void {
    const level = this.#levelNow();
    if (level === this.#level) return;
    this.#level = level;
    this.#onLevel(level);
  }

  // Full until half of it has been read: switching the socket on and off for every packet would be slow.
  #levelNow(): BufferLevel {
    if (this.#isSealed) return 'free';
    if (this.#bytes > this.#maxBytes * OVERFULL) return 'overfull';
    if (this.#bytes > this.#maxBytes) return 'full';
    return this.#level === 'free' || this.#bytes <= this.#maxBytes / 2 ? 'free' : 'full';
  }
}

function sizeOf(item: Uint8Array | StreamHole): number {
  return item instanceof Uint8Array ? item.length + ITEM_BYTES : ITEM_BYTES;
}
