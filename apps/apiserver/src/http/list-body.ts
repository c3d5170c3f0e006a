import type { ListMeta } from '@smalt/kubernetes';
import type { Resource } from '@smalt/resource';

import { groupVersion } from '../discovery/served-groups.ts';
import {
  metadataOf,
  printPartialObject,
  printRow,
  printTableHead,
  type TableOptions,
  type TableSource,
} from '../table/make-table.ts';
import { JsonIndenter } from './json-indenter.ts';

interface ListContent {
  readonly items: readonly TableSource[];
  readonly metadata: ListMeta;
}

const COMMA = 0x2c;
const END = Buffer.from(']}\n');
const CHUNK_BYTES = 256 * 1024;
const SLICE_CHARACTERS = 64 * 1024;
const MAX_BYTES_PER_CHARACTER = 3;

/** A body that is made piece by piece while it is sent. */
export interface PiecewiseBody {
  /** Undefined where that is known only at the end. */
  readonly length?: number;
  /** Each piece lasts until the next one is made: they share their memory. */
  pieces(): Generator<Buffer, void>;
}

/** A list as JSON: the bytes of its items, put together without a look into them. */
export function listBody(resource: Resource, { items, metadata }: ListContent): PiecewiseBody {
  const apiVersion = groupVersion(resource.group, resource.version);
  const head = JSON.stringify({ kind: resource.listKind, apiVersion, metadata });
  const start = Buffer.from(`${head.slice(0, -1)},"items":[`);
  let length = start.length + END.length + Math.max(items.length - 1, 0);
  for (const item of items) length += item.byteLength;
  return { length, pieces: () => piecesOf(start, items, length) };
}

function* piecesOf(start: Buffer, items: readonly TableSource[], length: number): Generator<Buffer, void> {
  let piece = Buffer.allocUnsafe(Math.min(length, Math.max(CHUNK_BYTES, start.length)));
  let position = start.copy(piece);
  for (const [index, { bytes }] of items.entries()) {
    if (position + bytes.length + 1 > piece.length - END.length) {
      yield piece.subarray(0, position);
      const needed = bytes.length + 1 + END.length;
      if (piece.length < needed) piece = Buffer.allocUnsafe(needed);
      position = 0;
    }
    if (index > 0) piece[position++] = COMMA;
    position += bytes.copy(piece, position);
  }
  if (position + END.length > piece.length) {
    yield piece.subarray(0, position);
    yield END;
    return;
  }
  position += END.copy(piece, position);
  yield piece.subarray(0, position);
}

/** A list of what identifies each object and nothing else of it. */
export function partialListBody({ items, metadata }: ListContent, version: 'v1' | 'v1beta1'): PiecewiseBody {
  const head = JSON.stringify({ kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata });
  const start = `${head.slice(0, -1)},"items":[`;
  return { pieces: () => slicesOf(start, items, (item) => printPartialObject(metadataOf(item.value), version)) };
}

/** A list as a Table. */
export function tableBody(resource: Resource, { items, metadata }: ListContent, options: TableOptions): PiecewiseBody {
  const start = printTableHead(resource, metadata, options);
  return { pieces: () => slicesOf(start, items, (item) => printRow(resource, item, options)) };
}

/** The same body, set out for people to read. */
export function indentedBody(body: PiecewiseBody): PiecewiseBody {
  return { pieces: () => indentedPieces(body) };
}

function* indentedPieces(body: PiecewiseBody): Generator<Buffer, void> {
  const indenter = new JsonIndenter();
  for (const piece of body.pieces()) yield indenter.indent(piece);
}

// What each object says is read, printed and forgotten, a few at a time: read all at once, they take the memory of all.
function* slicesOf(
  start: string,
  items: readonly TableSource[],
  print: (item: TableSource) => string,
): Generator<Buffer, void> {
  let piece = Buffer.allocUnsafe(0);
  let text = start;
  for (const [index, item] of items.entries()) {
    text += index > 0 ? `,${print(item)}` : print(item);
    if (text.length < SLICE_CHARACTERS) continue;
    if (piece.length < text.length * MAX_BYTES_PER_CHARACTER)
      piece = Buffer.allocUnsafe(text.length * MAX_BYTES_PER_CHARACTER);
    yield piece.subarray(0, piece.write(text));
    text = '';
  }
  yield Buffer.from(`${text}]}\n`);
}
