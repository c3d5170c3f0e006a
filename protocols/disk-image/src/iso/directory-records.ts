import type { FileNode } from '../file-tree.ts';
import { bothEndian16, bothEndian32 } from './both-endian.ts';
import { SECTOR_BYTES, sectorsFor } from './iso-sector.ts';
import type { IsoDirectory } from './iso-tree.ts';
import { CONTINUATION_POINTER_BYTES, continuationPointer, systemUseOf, type RockRidgeEntry } from './rock-ridge.ts';

/** Where things lie, in sectors; zeros while only sizes are asked for. */
export interface IsoPlaces {
  directory(index: number): IsoExtent;
  file(node: FileNode): number;
}

export interface IsoExtent {
  readonly sector: number;
  /** What its records take, in whole sectors; continuations come after. */
  readonly sizeBytes: number;
}

export interface WrittenDirectory {
  readonly bytes: Buffer;
  readonly recordsBytes: number;
}

interface RecordContent {
  readonly identifier: Buffer;
  readonly sector: number;
  readonly sizeBytes: number;
  readonly isDirectory: boolean;
  readonly rockRidge: RockRidgeEntry | undefined;
}

/** 1980-01-01: images of the same files are the same, whenever they are made. */
const DATE = Buffer.from([80, 1, 1, 0, 0, 0, 0]);
const DIRECTORY_FLAG = 2;

/** A directory as it lies in the image: its records, and behind them what did not fit into a record. */
export function writeDirectory(
  directories: readonly IsoDirectory[],
  index: number,
  places: IsoPlaces,
  hasRockRidge: boolean,
): WrittenDirectory {
  const contents = recordContents(directories, index, places);
  const uses = contents.map(({ rockRidge }) => (hasRockRidge && rockRidge ? systemUseOf(rockRidge) : undefined));
  const lengths = contents.map(
    ({ identifier }, at) =>
      fixedPart(identifier.length) +
      even((uses[at]?.inline.length ?? 0) + (uses[at]?.continuation ? CONTINUATION_POINTER_BYTES : 0)),
  );
  const recordsBytes = sectorsFor(packedEnd(lengths)) * SECTOR_BYTES;
  const continuations = packedOffsets(uses.map((use) => use?.continuation?.length ?? 0));
  const bytes = Buffer.alloc(recordsBytes + sectorsFor(continuations.end) * SECTOR_BYTES);
  const records = packedOffsets(lengths);
  const { sector } = places.directory(index);
  for (const [at, content] of contents.entries()) {
    const use = uses[at];
    const rest = use?.continuation;
    const place = recordsBytes + (continuations.offsets[at] ?? 0);
    const block = sector + Math.floor(place / SECTOR_BYTES);
    const pointer = rest ? [continuationPointer(block, place % SECTOR_BYTES, rest.length)] : [];
    directoryRecord(content, Buffer.concat([use?.inline ?? NOTHING, ...pointer])).copy(bytes, records.offsets[at]);
    rest?.copy(bytes, place);
  }
  return { bytes, recordsBytes };
}

const NOTHING = Buffer.alloc(0);

function recordContents(
  directories: readonly IsoDirectory[],
  index: number,
  places: IsoPlaces,
): readonly RecordContent[] {
  const directory = directories[index];
  const parent = directories[directory?.parent ?? 0];
  if (!directory || !parent) return [];
  const self = (role: 'root-self' | 'self' | 'parent', at: number, of: IsoDirectory): RecordContent => ({
    identifier: Buffer.from([role === 'parent' ? 1 : 0]),
    sector: places.directory(at).sector,
    sizeBytes: places.directory(at).sizeBytes,
    isDirectory: true,
    rockRidge: { role, name: '', isDirectory: true, links: linksOf(of) },
  });
  return [
    self(index === 0 ? 'root-self' : 'self', index, directory),
    self('parent', directory.parent, parent),
    ...directory.entries.map((entry): RecordContent => {
      const { name } = entry.node;
      const { identifier } = entry;
      if (entry.kind === 'file') {
        const rockRidge = { role: 'child', name, isDirectory: false, links: 1 } as const;
        const sizeBytes = entry.node.content.length;
        return { identifier, sector: places.file(entry.node), sizeBytes, isDirectory: false, rockRidge };
      }
      const below = directories[entry.index];
      const links = below ? linksOf(below) : 2;
      const rockRidge = { role: 'child', name, isDirectory: true, links } as const;
      return { identifier, ...places.directory(entry.index), isDirectory: true, rockRidge };
    }),
  ];
}

function linksOf({ entries }: IsoDirectory): number {
  return 2 + entries.filter(({ kind }) => kind === 'directory').length;
}

/** One record; that of the root stands in the volume descriptor as well. */
export function directoryRecord(
  { identifier, sector, sizeBytes, isDirectory }: Omit<RecordContent, 'rockRidge'>,
  systemUse: Buffer = NOTHING,
): Buffer {
  const record = Buffer.alloc(fixedPart(identifier.length) + even(systemUse.length));
  record[0] = record.length;
  bothEndian32(sector).copy(record, 2);
  bothEndian32(sizeBytes).copy(record, 10);
  DATE.copy(record, 18);
  record[25] = isDirectory ? DIRECTORY_FLAG : 0;
  bothEndian16(1).copy(record, 28);
  record[32] = identifier.length;
  identifier.copy(record, 33);
  systemUse.copy(record, fixedPart(identifier.length));
  return record;
}

/** Records begin at even places, and so does their system use. */
function fixedPart(identifierLength: number): number {
  return even(33 + identifierLength);
}

function even(length: number): number {
  return length + (length % 2);
}

/** Where parts begin that are laid one after the other, none across the end of a sector. */
function packedOffsets(lengths: readonly number[]): { readonly offsets: readonly number[]; readonly end: number } {
  const offsets: number[] = [];
  let end = 0;
  for (const length of lengths) {
    const room = SECTOR_BYTES - (end % SECTOR_BYTES);
    const start = length > room ? end + room : end;
    offsets.push(start);
    end = start + length;
  }
  return { offsets, end };
}

function packedEnd(lengths: readonly number[]): number {
  return packedOffsets(lengths).end;
}
