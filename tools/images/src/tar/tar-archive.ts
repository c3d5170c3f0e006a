import type { FileTree, TreeEntry } from '../tree/file-tree.ts';

const BLOCK = 512;
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;
const END = Buffer.alloc(2 * BLOCK);

/** The same tree is the same bytes: entries in the order of the tree, all of root, and nothing of the machine in it. */
export function* tarArchive(tree: FileTree): Generator<Buffer> {
  for (const [path, entry] of tree) yield* record(path, entry);
  yield END;
}

function* record(path: string, entry: TreeEntry): Generator<Buffer> {
  const name = entry.kind === 'directory' ? `${path}/` : path;
  const target = entry.kind === 'link' ? entry.target : '';
  const split = splitName(name);
  const extended = {
    ...(split === undefined ? { path: name } : {}),
    ...(fits(target) ? {} : { linkpath: target }),
  };
  if (Object.keys(extended).length > 0) yield* extendedHeader(extended);
  const [prefix, short] = split ?? ['', cut(name)];
  const content = entry.kind === 'file' ? entry.content : undefined;
  yield header({
    name: short,
    prefix,
    target: cut(target),
    mode: entry.kind === 'link' ? 0o777 : entry.mode,
    size: content?.length ?? 0,
    modified: entry.modified,
    type: TYPES[entry.kind],
  });
  if (content !== undefined) yield* padded(content);
}

const TYPES = { file: '0', link: '2', directory: '5' } as const;

/** Where a name does not fit into a header of 1988, POSIX has a second one before it. */
function* extendedHeader(values: Readonly<Record<string, string>>): Generator<Buffer> {
  const content = Buffer.from(Object.entries(values).map(extendedLine).join(''));
  yield header({
    name: 'extended',
    prefix: '',
    target: '',
    mode: 0o644,
    size: content.length,
    modified: 0,
    type: 'x',
  });
  yield* padded(content);
}

/** The number at its begin is the length of the whole line, itself included. */
function extendedLine([key, value]: readonly [string, string]): string {
  const rest = ` ${key}=${value}\n`;
  const restBytes = Buffer.byteLength(rest);
  let length = restBytes + 1;
  while (restBytes + String(length).length !== length) length = restBytes + String(length).length;
  return `${length}${rest}`;
}

interface Header {
  readonly name: string;
  readonly prefix: string;
  readonly target: string;
  readonly mode: number;
  readonly size: number;
  readonly modified: number;
  readonly type: string;
}

function header({ name, prefix, target, mode, size, modified, type }: Header): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, NAME_BYTES);
  for (const [offset, digits, value] of [
    [100, 7, mode],
    [108, 7, 0],
    [116, 7, 0],
    [124, 11, size],
    [136, 11, modified],
  ] as const)
    block.write(value.toString(8).padStart(digits, '0'), offset);
  // The sum is taken as if its own field were blank.
  block.fill(' ', 148, 156);
  block.write(type, 156);
  block.write(target, 157, NAME_BYTES);
  block.write('ustar\x0000', 257, 'latin1');
  block.write(prefix, 345, PREFIX_BYTES);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function* padded(content: Buffer): Generator<Buffer> {
  yield content;
  const rest = (BLOCK - (content.length % BLOCK)) % BLOCK;
  if (rest > 0) yield Buffer.alloc(rest);
}

/** Prefix and name, if the two fields can hold it. */
function splitName(name: string): readonly [prefix: string, name: string] | undefined {
  if (!isPlain(name)) return undefined;
  if (name.length <= NAME_BYTES) return ['', name];
  const end = name.indexOf('/', name.length - NAME_BYTES - 1);
  if (end < 1 || end > PREFIX_BYTES || end === name.length - 1) return undefined;
  return [name.slice(0, end), name.slice(end + 1)];
}

function fits(text: string): boolean {
  return isPlain(text) && text.length <= NAME_BYTES;
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text);
}

/** For those who do not read the extended header. */
function cut(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '_').slice(0, NAME_BYTES);
}
