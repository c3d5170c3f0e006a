import { XdrError, type XdrReader } from '@smalt/xdr';

import { STRING_MAX } from './wire-string.ts';

// Longer names are read as they are: remembering them would cost more than it saves.
const REMEMBERED_WORDS = 24;
const REMEMBERED_NAMES = 4096;

/** A field name, and in which record it was last seen; a name seen for the first time has no record yet. */
export interface FieldName {
  readonly text: string;
  readonly bytes: number;
  readonly words: Uint32Array;
  lastRecord: number | undefined;
}

/**
 * Reads field names that come again and again. A name seen before is recognised by its words on the wire and is not
 * decoded again. Takes a bounded amount of memory, whatever a daemon sends.
 */
export class FieldNames {
  readonly #byHash = new Map<number, FieldName>();
  readonly #words = new Uint32Array(REMEMBERED_WORDS);

  read(reader: XdrReader): FieldName {
    const bytes = reader.uint32();
    const count = Math.ceil(bytes / 4);
    if (count > REMEMBERED_WORDS) return readLongName(reader, bytes);

    const words = this.#words;
    let hash = bytes;
    for (let index = 0; index < count; index++) {
      const word = reader.uint32();
      words[index] = word;
      hash = Math.imul(hash ^ word, 0x9e37_79b1);
      hash ^= hash >>> 15;
    }
    return this.#find(hash, bytes, count);
  }

  #find(hash: number, bytes: number, count: number): FieldName {
    const words = this.#words;
    const known = this.#byHash.get(hash);
    if (known !== undefined && known.bytes === bytes && hasWords(known, words, count)) return known;

    const name = { text: textOf(words, bytes), bytes, words: words.slice(0, count), lastRecord: undefined };
    if (this.#byHash.size >= REMEMBERED_NAMES) this.#byHash.clear();
    this.#byHash.set(hash, name);
    return name;
  }
}

function hasWords({ words: expected }: FieldName, words: Uint32Array, count: number): boolean {
  for (let index = 0; index < count; index++) if (expected[index] !== words[index]) return false;
  return true;
}

function readLongName(reader: XdrReader, bytes: number): FieldName {
  if (bytes > STRING_MAX) throw new XdrError('too-long', `string of ${bytes} is over the limit of ${STRING_MAX}`);
  const text = reader.fixedOpaque(bytes).toString('utf8');
  return { text, bytes, words: NO_WORDS, lastRecord: undefined };
}

const NO_WORDS = new Uint32Array(0);

function textOf(words: Uint32Array, bytes: number): string {
  const buffer = Buffer.allocUnsafe(Math.ceil(bytes / 4) * 4);
  for (let at = 0; at < buffer.length; at += 4) buffer.writeUInt32BE(words[at / 4] ?? 0, at);
  return buffer.toString('utf8', 0, bytes);
}
