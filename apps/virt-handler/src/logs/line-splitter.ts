/** A line that is longer comes in pieces. */
const MOST_LINE_BYTES = 16_384;
const LINE_FEED = 0x0a;

/** Makes whole lines of bytes as they come, and keeps what has no end yet: never more than one line may have. */
export class LineSplitter {
  #rest: Buffer = Buffer.alloc(0);

  push(bytes: Uint8Array): readonly string[] {
    const lines: string[] = [];
    let left = Buffer.concat([this.#rest, bytes]);
    for (;;) {
      const end = left.indexOf(LINE_FEED);
      const length = end < 0 || end > MOST_LINE_BYTES ? MOST_LINE_BYTES : end;
      if (left.length <= length && end < 0) break;
      lines.push(left.toString('utf8', 0, length).replace(/\r$/, ''));
      left = left.subarray(length === end ? end + 1 : length);
    }
    this.#rest = left;
    return lines;
  }

  /** What has no end, when nothing more will come. */
  rest(): readonly string[] {
    return this.#rest.length === 0 ? [] : [this.#rest.toString('utf8')];
  }
}
