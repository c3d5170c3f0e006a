/** Batches of one node that are under way at a time: an agent sends one after the other, and a second one when it gave up. */
const MOST_OF_A_NODE = 4;
/** Bytes of all bodies that are under way. */
const MOST_BYTES = 268_435_456;

export type Admission = 'admitted' | 'node-busy' | 'full';

/** What is under way between the network and the store. It is bounded, so memory is. */
export class Intake {
  readonly #ofNode = new Map<string, number>();
  #count = 0;
  #bytes = 0;

  /** Lets a batch of so many bytes in. What is admitted has to leave. */
  admit(node: string, bytes: number, mostWaiting: number): Admission {
    const own = this.#ofNode.get(node) ?? 0;
    if (own >= MOST_OF_A_NODE) return 'node-busy';
    if (this.#count >= mostWaiting || this.#bytes + bytes > MOST_BYTES) return 'full';
    this.#ofNode.set(node, own + 1);
    this.#count++;
    this.#bytes += bytes;
    return 'admitted';
  }

  leave(node: string, bytes: number): void {
    const own = this.#ofNode.get(node) ?? 0;
    if (own <= 1) this.#ofNode.delete(node);
    else this.#ofNode.set(node, own - 1);
    this.#count--;
    this.#bytes -= bytes;
  }
}
