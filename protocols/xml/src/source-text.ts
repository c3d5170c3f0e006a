import { tagEnd } from './tag-end.ts';
import type { WrittenForm } from './written-form.ts';

/**
 * A text as it came, and as XML reads it: without byte order mark, every line end a line feed. Offsets are those of
 * the second, and what it hands out is cut from the first.
 */
export class SourceText {
  readonly text: string;
  readonly #original: string;
  readonly #offsets: Uint32Array | undefined;

  constructor(original: string) {
    this.#original = original.startsWith('\uFEFF') ? original.slice(1) : original;
    this.text = this.#original.includes('\r') ? this.#original.replace(/\r\n?/g, '\n') : this.#original;
    if (this.text.length !== this.#original.length) this.#offsets = originalOffsets(this.#original);
  }

  /** What was written between two offsets. */
  written(start: number, end: number): string {
    return this.#original.slice(this.#at(start), this.#at(end));
  }

  /** The tags of the element between two offsets, unless they are written as `start` and `end`. */
  writtenTags(from: number, to: number, start: string, end: string): WrittenForm | undefined {
    const first = this.#at(from);
    const last = this.#at(to);
    if (this.#original.startsWith(start, first) && this.#original.endsWith(end, last)) return undefined;
    const opening = this.#original.slice(first, tagEnd(this.#original, first));
    const closing = opening.endsWith('/>')
      ? ''
      : this.#original.slice(this.#original.lastIndexOf('</', last - 1), last);
    return { start: opening, end: closing };
  }

  #at(offset: number): number {
    // The parser gives `Infinity` for the end of a text with an emoji in it; string methods take that for the end.
    return this.#offsets?.[offset] ?? offset;
  }
}

/** For each offset of the text with plain line feeds, the offset in `original`. */
function originalOffsets(original: string): Uint32Array {
  const offsets = new Uint32Array(original.length + 1);
  let normalised = 0;
  for (let at = 0; at <= original.length; at += 1) {
    offsets[normalised] = at;
    const isFirstOfPair = original[at] === '\r' && original[at + 1] === '\n';
    if (isFirstOfPair) at += 1;
    normalised += 1;
  }
  return offsets;
}
