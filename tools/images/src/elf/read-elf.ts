import { ImagesError } from '../images-error.ts';

const MAGIC = Buffer.from([0x7f, 0x45, 0x4c, 0x46]);
const Segment = { load: 1, dynamic: 2, interpreter: 3 } as const;
const Tag = { end: 0, needed: 1, stringTable: 5, runPath: 29, oldRunPath: 15 } as const;

/** What the loader has to find before a program or library can run. */
export interface ElfNeeds {
  /** The program that loads it, if it is a program. */
  readonly interpreter: string | undefined;
  /** Libraries, by name. */
  readonly libraries: readonly string[];
  /** Where to look for them first; may begin with `$ORIGIN`. */
  readonly runPaths: readonly string[];
}

interface ProgramHeader {
  readonly type: number;
  readonly offset: number;
  readonly address: number;
  readonly size: number;
}

/** Whether these are the bytes of a program or library. */
export function isElf(content: Buffer): boolean {
  return content.subarray(0, 4).equals(MAGIC);
}

/** Reads what a program or library for 64 bits needs. Throws `bad-program`. */
export function readElf(content: Buffer): ElfNeeds {
  const headers = programHeaders(content);
  const interpreter = headers.find(({ type }) => type === Segment.interpreter);
  const dynamic = headers.find(({ type }) => type === Segment.dynamic);
  const tags = dynamic === undefined ? [] : dynamicTags(content, dynamic);
  const table = tags.find(([tag]) => tag === Tag.stringTable)?.[1];
  const strings = table === undefined ? 0 : fileOffset(headers, table);
  const named = (wanted: readonly number[]): readonly string[] =>
    tags.filter(([tag]) => wanted.includes(tag)).map(([, value]) => text(content, strings + value));
  return {
    interpreter: interpreter && text(content, interpreter.offset),
    libraries: named([Tag.needed]),
    runPaths: named([Tag.runPath, Tag.oldRunPath]).flatMap((paths) => paths.split(':')),
  };
}

/**
 * The program without what the kernel and the loader never look at: symbols and the table of sections, which lie behind all that is
 * loaded. As `strip` does, but it needs no other program. Throws `bad-program`.
 */
export function stripElf(content: Buffer): Buffer {
  const loaded = programHeaders(content).filter(({ type }) => type === Segment.load);
  const end = Math.max(...loaded.map(({ offset, size }) => offset + size));
  const stripped = Buffer.from(content.subarray(0, end));
  // Where the table of sections begins, how many there are, and which of them has their names.
  stripped.writeBigUInt64LE(0n, 0x28);
  stripped.writeUInt16LE(0, 0x3c);
  stripped.writeUInt16LE(0, 0x3e);
  return stripped;
}

function programHeaders(content: Buffer): readonly ProgramHeader[] {
  if (!isElf(content)) throw new ImagesError('bad-program', 'this is no program of Linux');
  if (content[4] !== 2 || content[5] !== 1) {
    throw new ImagesError('bad-program', 'only programs for 64 bits, the lowest byte first, can be read');
  }
  const start = Number(content.readBigUInt64LE(0x20));
  const size = content.readUInt16LE(0x36);
  const count = content.readUInt16LE(0x38);
  return Array.from({ length: count }, (_, index) => {
    const at = start + index * size;
    return {
      type: content.readUInt32LE(at),
      offset: Number(content.readBigUInt64LE(at + 8)),
      address: Number(content.readBigUInt64LE(at + 16)),
      size: Number(content.readBigUInt64LE(at + 32)),
    };
  });
}

function dynamicTags(content: Buffer, { offset, size }: ProgramHeader): readonly (readonly [number, number])[] {
  const tags: [number, number][] = [];
  for (let at = offset; at < offset + size; at += 16) {
    const tag = Number(content.readBigInt64LE(at));
    if (tag === Tag.end) break;
    tags.push([tag, Number(content.readBigUInt64LE(at + 8))]);
  }
  return tags;
}

function fileOffset(headers: readonly ProgramHeader[], address: number): number {
  const found = headers.find(
    (header) => header.type === Segment.load && address >= header.address && address < header.address + header.size,
  );
  if (found === undefined) throw new ImagesError('bad-program', 'a program names an address that is not in it');
  return found.offset + address - found.address;
}

function text(content: Buffer, offset: number): string {
  return content.toString('latin1', offset, content.indexOf(0, offset));
}
