import { OpenFlowError } from '../openflow-error.ts';
import { HEADER_BYTES, type Message } from './message.ts';

/** Some room for versions to come: 1.5 is 6. */
const NEWEST_VERSION = 15;

/** Cuts a stream of bytes into messages. It holds one message at most, which is 64 KiB at most. */
export class MessageSplitter {
  #held: Buffer[] = [];
  #heldBytes = 0;

  /** Takes what came and gives the messages that are whole now. A length that cannot be is an OpenFlowError. */
  *push(chunk: Buffer): Generator<Message> {
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    for (;;) {
      const length = this.#nextLength();
      if (length === undefined || this.#heldBytes < length) return;
      const bytes = this.#first(length);
      this.#drop(length);
      yield {
        version: bytes.readUInt8(0),
        type: bytes.readUInt8(1),
        transaction: bytes.readUInt32BE(4),
        body: bytes.subarray(HEADER_BYTES, length),
      };
    }
  }

  #nextLength(): number | undefined {
    if (this.#heldBytes < HEADER_BYTES) return undefined;
    const head = this.#first(HEADER_BYTES);
    const version = head.readUInt8(0);
    // Without this, garbage would be waited for as if it were a long message.
    if (version === 0 || version > NEWEST_VERSION) {
      throw new OpenFlowError('malformed', `this is no OpenFlow: it says version ${version}`);
    }
    const length = head.readUInt16BE(2);
    if (length < HEADER_BYTES) {
      throw new OpenFlowError('malformed', `a message says that it has ${length} bytes, fewer than its header`);
    }
    return length;
  }

  /** The chunk that the next message begins in, made to hold at least `length` bytes. */
  #first(length: number): Buffer {
    const first = this.#held[0];
    if (first !== undefined && first.length >= length) return first;
    const whole = Buffer.concat(this.#held);
    this.#held = [whole];
    return whole;
  }

  #drop(length: number): void {
    const [first, ...others] = this.#held;
    const rest = first?.subarray(length);
    this.#held = rest === undefined || rest.length === 0 ? others : [rest, ...others];
    this.#heldBytes -= length;
  }
}
