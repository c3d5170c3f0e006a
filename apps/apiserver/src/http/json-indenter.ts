const NEWLINE = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const FIRST_CAPACITY = 4096;

/** Sets JSON out in lines for people to read, piece by piece. Nothing is parsed, so every number keeps its digits. */
export class JsonIndenter {
  #output: Buffer = Buffer.allocUnsafe(FIRST_CAPACITY);
  #length = 0;
  #depth = 0;
  #isInString = false;
  #isEscaped = false;
  /** Whether nothing has followed an opening bracket yet: an empty one is closed on the same line. */
  #isFresh = false;

  /** The next piece of JSON, set out. What it returns lasts until the next call. */
  indent(json: Buffer): Buffer {
    this.#length = 0;
    for (let index = 0; index < json.length; index++) {
      const byte = json[index] ?? 0;
      if (this.#isInString) this.#takeInString(byte);
      else if (byte > SPACE) this.#take(byte);
    }
    return this.#output.subarray(0, this.#length);
  }

  #takeInString(byte: number): void {
    this.#put(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInString = false;
  }

  #take(byte: number): void {
    if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) return this.#close(byte);
    if (this.#isFresh) this.#breakLine();
    this.#isFresh = false;
    this.#put(byte);
    switch (byte) {
      case OPENING_BRACE:
      case OPENING_BRACKET:
        this.#depth++;
        this.#isFresh = true;
        return;
      case COMMA:
        return this.#breakLine();
      case COLON:
        return this.#put(SPACE);
      case QUOTE:
        this.#isInString = true;
    }
  }

  #close(byte: number): void {
    this.#depth--;
    if (!this.#isFresh) this.#breakLine();
    this.#isFresh = false;
    this.#put(byte);
  }

  #breakLine(): void {
    const width = 2 * this.#depth;
    this.#put(NEWLINE);
    this.#reserve(width);
    this.#output.fill(SPACE, this.#length, this.#length + width);
    this.#length += width;
  }

  #put(byte: number): void {
    this.#reserve(1);
    this.#output[this.#length++] = byte;
  }

  #reserve(bytes: number): void {
    const needed = this.#length + bytes;
    if (needed <= this.#output.length) return;
    const larger = Buffer.allocUnsafe(needed * 2);
    this.#output.copy(larger, 0, 0, this.#length);
    this.#output = larger;
  }
}
