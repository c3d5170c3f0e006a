import { isUtf8 } from 'node:buffer';

import { JsonRpcError } from './json-rpc-error.ts';

/** How much of one message is held. */
export interface FramerLimits {
  /** A value that is longer ends the stream. */
  readonly maxBytes: number;
  /** A value that nests objects and lists deeper ends the stream. */
  readonly maxDepth: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const NOTHING = Buffer.alloc(0);
const WHITESPACE: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/**
 * Cuts a stream of bytes into the objects and lists of JSON that stand in it one after the other, without lengths and
 * with nothing or white space between. Each byte is looked at once, however the stream is cut into chunks.
 */
export class JsonFramer {
  readonly #limits: FramerLimits;
  /** The beginning of the value that is still incomplete, copied: a list of the chunks would cost more the smaller they are. */
  #held: Buffer = NOTHING;
  #heldBytes = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  #failure: JsonRpcError | undefined;

  constructor(limits: FramerLimits) {
    this.#limits = limits;
  }

  /** How many bytes of an incomplete value are held. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Hands the text of every value that this chunk completes to `deliver`, in order. Throws once the stream makes no
   * sense, after what came before was delivered; and from then on always.
   */
  push(chunk: Uint8Array, deliver: (text: string) => void): void {
    if (this.#failure !== undefined) throw this.#failure;
    let position = 0;
    while (position < chunk.length) {
      const start = this.#depth === 0 ? this.#skipSpace(chunk, position) : position;
      if (start === chunk.length) return;
      position = this.#scan(chunk, start);
      this.#checkLength(position - start);
      if (this.#depth > 0) this.#hold(chunk.subarray(start, position));
      else deliver(this.#complete(chunk.subarray(start, position)));
    }
  }

  #skipSpace(chunk: Uint8Array, from: number): number {
    let position = from;
    while (position < chunk.length && WHITESPACE.has(chunk[position] ?? 0)) position++;
    const first = chunk[position];
    if (first === undefined || first === OPENING_BRACE || first === OPENING_BRACKET) return position;
    const shown = JSON.stringify(String.fromCharCode(first));
    return this.#fail('malformed', `a message begins with ${shown}, not with an object`);
  }

  /** Goes on until the value ends or the chunk does, and returns the position after. */
  #scan(chunk: Uint8Array, from: number): number {
    let depth = this.#depth;
    for (let position = from; position < chunk.length; position++) {
      if (this.#isInString) {
        position = this.#scanString(chunk, position);
        continue;
      }
      const byte = chunk[position];
      if (byte === QUOTE) {
        this.#isInString = true;
      } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
        depth++;
        if (depth > this.#limits.maxDepth) {
          this.#fail('too-deep', `a message nests deeper than ${this.#limits.maxDepth}`);
        }
      } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
        depth--;
        if (depth === 0) {
          this.#depth = 0;
          return position + 1;
        }
      }
    }
    this.#depth = depth;
    return chunk.length;
  }

  /** Returns the position of the closing quote, or of the chunk's last byte. */
  #scanString(chunk: Uint8Array, from: number): number {
    for (let position = from; position < chunk.length; position++) {
      const byte = chunk[position];
      if (this.#isEscaped) {
        this.#isEscaped = false;
      } else if (byte === BACKSLASH) {
        this.#isEscaped = true;
      } else if (byte === QUOTE) {
        this.#isInString = false;
        return position;
      }
    }
    return chunk.length - 1;
  }

  #checkLength(added: number): void {
    if (this.#heldBytes + added <= this.#limits.maxBytes) return;
    this.#fail('too-large', `a message is longer than ${this.#limits.maxBytes} bytes`);
  }

  #hold(part: Uint8Array): void {
    const bytes = this.#heldBytes + part.length;
    if (bytes > this.#held.length) {
      // Doubled, so that each byte is moved only a few times however many chunks there are.
      const longer = Buffer.allocUnsafe(Math.min(Math.max(bytes, this.#held.length * 2, 4096), this.#limits.maxBytes));
      this.#held.copy(longer, 0, 0, this.#heldBytes);
      this.#held = longer;
    }
    this.#held.set(part, this.#heldBytes);
    this.#heldBytes = bytes;
  }

  #complete(lastPart: Uint8Array): string {
    let bytes = Buffer.from(lastPart.buffer, lastPart.byteOffset, lastPart.length);
    if (this.#heldBytes > 0) {
      this.#hold(lastPart);
      bytes = this.#held.subarray(0, this.#heldBytes);
      this.#letGo();
    }
    if (!isUtf8(bytes)) return this.#fail('malformed', 'a message is not UTF-8');
    return bytes.toString('utf8');
  }

  #letGo(): void {
    this.#held = NOTHING;
    this.#heldBytes = 0;
  }

  #fail(code: 'malformed' | 'too-large' | 'too-deep', message: string): never {
    this.#failure = new JsonRpcError(code, message);
    this.#letGo();
    throw this.#failure;
  }
}
