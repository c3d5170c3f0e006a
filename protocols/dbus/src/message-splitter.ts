import { paddingAt } from './alignment.ts';
import { DBusError } from './dbus-error.ts';
import { endianOf } from './decode-message.ts';
import { MAX_MESSAGE_BYTES, PREFIX_BYTES } from './message.ts';

/** Cuts a stream of bytes into messages. After it threw, the stream cannot be read any further. */
export class MessageSplitter {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #held = 0;
  /** The size of the message that has begun, once it is known. */
  #wanted: number | undefined;

  /** `maxBytes` is the largest message that is let in; the specification allows 128 MiB. */
  constructor(maxBytes: number = MAX_MESSAGE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  /** The messages that these bytes complete, in order. */
  *push(chunk: Buffer): Generator<Buffer, undefined> {
    this.#chunks.push(chunk);
    this.#held += chunk.length;
    for (let message = this.#next(); message; message = this.#next()) yield message;
  }

  #next(): Buffer | undefined {
    if (this.#wanted === undefined) {
      if (this.#held < PREFIX_BYTES) return undefined;
      this.#wanted = messageSize(this.#joined());
      if (this.#wanted > this.#maxBytes) {
        throw new DBusError('too-long', `a message of ${this.#wanted} bytes, over the limit of ${this.#maxBytes}`);
      }
    }
    if (this.#held < this.#wanted) return undefined;
    const bytes = this.#joined();
    const message = bytes.subarray(0, this.#wanted);
    const rest = bytes.subarray(this.#wanted);
    this.#chunks = rest.length > 0 ? [rest] : [];
    this.#held = rest.length;
    this.#wanted = undefined;
    return message;
  }

  #joined(): Buffer {
    const [first, ...more] = this.#chunks;
    if (first && more.length === 0) return first;
    const joined = Buffer.concat(this.#chunks);
    this.#chunks = [joined];
    return joined;
  }
}

/** The size of a whole message, from its first 16 bytes. */
function messageSize(prefix: Buffer): number {
  const isLittle = endianOf(prefix[0]) === 'little';
  const body = isLittle ? prefix.readUInt32LE(4) : prefix.readUInt32BE(4);
  const fields = isLittle ? prefix.readUInt32LE(12) : prefix.readUInt32BE(12);
  const header = PREFIX_BYTES + fields;
  return header + paddingAt(header, 8) + body;
}
