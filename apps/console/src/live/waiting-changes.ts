/** What waits to be told of one follow: of each object only how it is by now. */
export class WaitingChanges {
  readonly #id: number;
  readonly #put = new Map<string, string>();
  readonly #gone = new Set<string>();
  #notice: string | undefined;
  #isReset = false;
  #isComplete = false;
  #bytes = 0;

  constructor(id: number) {
    this.#id = id;
  }

  /** About how much memory it takes. */
  get bytes(): number {
    return this.#bytes;
  }

  get isEmpty(): boolean {
    const hasObjects = this.#put.size > 0 || this.#gone.size > 0;
    return !hasObjects && this.#notice === undefined && !this.#isReset && !this.#isComplete;
  }

  /** All that was known before is void. */
  reset(): void {
    this.clear();
    this.#isReset = true;
  }

  /** All that was there when it was reset has been put. */
  complete(): void {
    this.#isComplete = true;
  }

  /** `json` is the object as text. */
  put(key: string, json: string): void {
    this.#forget(key);
    this.#put.set(key, json);
    this.#bytes += key.length + json.length;
  }

  gone(key: string): void {
    this.#forget(key);
    this.#gone.add(key);
    this.#bytes += key.length;
  }

  /** Has a message told in the place of all that waits; what comes after it is told after it. */
  notice(fields: Readonly<Record<string, unknown>>): void {
    this.clear();
    this.#notice = JSON.stringify({ ...fields, id: this.#id });
    this.#bytes = this.#notice.length;
  }

  clear(): void {
    this.#put.clear();
    this.#gone.clear();
    this.#notice = undefined;
    this.#isReset = false;
    this.#isComplete = false;
    this.#bytes = 0;
  }

  /** Takes out messages with so many objects, and about so many bytes, at most; one object goes whatever its size. */
  take(room: { readonly objects: number; readonly bytes: number }): TakenChanges {
    const messages = this.#notice === undefined ? [] : [this.#notice];
    this.#bytes -= this.#notice?.length ?? 0;
    this.#notice = undefined;
    if (this.isEmpty) return { messages, objects: 0, bytes: 0 };
    const put: string[] = [];
    let bytes = 0;
    for (const [key, json] of this.#put) {
      const isFull = put.length >= room.objects || (bytes > 0 && bytes + json.length > room.bytes);
      if (isFull) break;
      this.#forget(key);
      put.push(json);
      bytes += json.length;
    }
    const gone = [...this.#gone];
    for (const key of gone) this.#forget(key);
    const isComplete = this.#isComplete && this.#put.size === 0;
    messages.push(changesMessage({ id: this.#id, isReset: this.#isReset, put, gone, isComplete }));
    this.#isReset = false;
    if (isComplete) this.#isComplete = false;
    return { messages, objects: put.length, bytes };
  }

  #forget(key: string): void {
    const known = this.#put.get(key);
    if (known !== undefined) this.#bytes -= key.length + known.length;
    this.#put.delete(key);
    if (this.#gone.delete(key)) this.#bytes -= key.length;
  }
}

export interface TakenChanges {
  /** Each as JSON. */
  readonly messages: readonly string[];
  readonly objects: number;
  readonly bytes: number;
}

interface ChangesMessage {
  readonly id: number;
  readonly isReset: boolean;
  readonly put: readonly string[];
  readonly gone: readonly string[];
  readonly isComplete: boolean;
}

// The objects are text already: to parse them only to print them again would cost what it costs to make them.
function changesMessage({ id, isReset, put, gone, isComplete }: ChangesMessage): string {
  const end = isComplete ? ',"isComplete":true' : '';
  const lists = `"put":[${put.join(',')}],"gone":${JSON.stringify(gone)}`;
  return `{"kind":"changes","id":${id},"isReset":${isReset},${lists}${end}}`;
}
