export interface QueueLimits {
  readonly items: number;
  readonly bytes: number;
}

/** Holds the newest items, as many as fit, and lets go of the oldest ones; the newest stays whatever its size. */
export class BoundedQueue<Item> {
  readonly #limits: QueueLimits;
  readonly #letGo: (item: Item) => void;
  readonly #items: (Item | undefined)[] = [];
  readonly #sizes: number[] = [];
  #oldest = 0;
  #count = 0;
  #bytes = 0;

  constructor(limits: QueueLimits, letGo: (item: Item) => void) {
    this.#limits = limits;
    this.#letGo = letGo;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(item: Item, bytes: number): void {
    const { items: maxItems, bytes: maxBytes } = this.#limits;
    while (this.#count > 0 && (this.#count >= maxItems || this.#bytes + bytes > maxBytes)) this.#dropOldest();
    const position = (this.#oldest + this.#count) % maxItems;
    this.#items[position] = item;
    this.#sizes[position] = bytes;
    this.#count++;
    this.#bytes += bytes;
  }

  #dropOldest(): void {
    const item = this.#items[this.#oldest];
    this.#bytes -= this.#sizes[this.#oldest] ?? 0;
    this.#items[this.#oldest] = undefined;
    this.#oldest = (this.#oldest + 1) % this.#limits.items;
    this.#count--;
    if (item !== undefined) this.#letGo(item);
  }
}
