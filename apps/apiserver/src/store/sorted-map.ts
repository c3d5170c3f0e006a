const MAX_CHUNK = 512;

interface Chunk<T> {
  readonly keys: string[];
  readonly values: T[];
}

/** A map in the order of its keys. Finding, adding and removing cost the logarithm of its size plus a bounded copy. */
export class SortedMap<T> {
  readonly #chunks: Chunk<T>[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: string): T | undefined {
    const chunk = this.#chunks[this.#chunkIndex(key)];
    if (chunk === undefined) return undefined;
    const index = lowerBound(chunk.keys, key);
    return chunk.keys[index] === key ? chunk.values[index] : undefined;
  }

  set(key: string, value: T): void {
    const chunkIndex = this.#chunkIndex(key);
    const chunk = this.#chunks[chunkIndex];
    if (chunk === undefined) {
      this.#chunks.push({ keys: [key], values: [value] });
      this.#size++;
      return;
    }
    const index = lowerBound(chunk.keys, key);
    if (chunk.keys[index] === key) {
      chunk.values[index] = value;
      return;
    }
    chunk.keys.splice(index, 0, key);
    chunk.values.splice(index, 0, value);
    this.#size++;
    if (chunk.keys.length > MAX_CHUNK) this.#split(chunkIndex, chunk);
  }

  delete(key: string): boolean {
    const chunkIndex = this.#chunkIndex(key);
    const chunk = this.#chunks[chunkIndex];
    if (chunk === undefined) return false;
    const index = lowerBound(chunk.keys, key);
    if (chunk.keys[index] !== key) return false;
    chunk.keys.splice(index, 1);
    chunk.values.splice(index, 1);
    this.#size--;
    if (chunk.keys.length === 0) this.#chunks.splice(chunkIndex, 1);
    return true;
  }

  /** The values whose keys are not before `from` and, when it is given, before `to`. */
  range(from = '', to?: string): T[] {
    const found: T[] = [];
    for (let index = this.#chunkIndex(from); index < this.#chunks.length; index++) {
      const chunk = this.#chunks[index];
      if (chunk === undefined) break;
      const start = lowerBound(chunk.keys, from);
      const end = to === undefined ? chunk.keys.length : lowerBound(chunk.keys, to);
      for (const value of chunk.values.slice(start, end)) found.push(value);
      if (end < chunk.keys.length) break;
    }
    return found;
  }

  // The last chunk whose first key is not after the key: the only one that can hold it.
  #chunkIndex(key: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const first = this.#chunks[middle]?.keys[0];
      if (first !== undefined && first <= key) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? 0 : low - 1;
  }

  #split(chunkIndex: number, chunk: Chunk<T>): void {
    // Keys often come in rising order; a full left part then wastes no room.
    const isLast = chunkIndex === this.#chunks.length - 1;
    const at = isLast ? chunk.keys.length - 1 : chunk.keys.length >>> 1;
    this.#chunks.splice(chunkIndex + 1, 0, { keys: chunk.keys.splice(at), values: chunk.values.splice(at) });
  }
}

function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const candidate = keys[middle];
    if (candidate !== undefined && candidate < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
