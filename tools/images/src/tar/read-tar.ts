import { ImagesError } from '../images-error.ts';
import type { TreeEntry } from '../tree/file-tree.ts';

const BLOCK = 512;

/** What one record says, before a link is looked at. */
interface Record {
  readonly path: string;
  readonly type: string;
  readonly target: string;
  readonly mode: number;
  readonly modified: number;
  readonly content: Buffer;
}

/** Files, directories and links of an archive as tar of POSIX or GNU writes it; hard links become files. Throws `bad-archive`. */
export function readTar(archive: Buffer): ReadonlyMap<string, TreeEntry> {
  const tree = new Map<string, TreeEntry>();
  for (const found of records(archive)) {
    const path = plainPath(found.path);
    if (path === '') continue;
    const entry = toEntry(found, tree);
    if (entry !== undefined) tree.set(path, entry);
  }
  return tree;
}

function toEntry(
  { path, type, target, mode, modified, content }: Record,
  known: ReadonlyMap<string, TreeEntry>,
): TreeEntry | undefined {
  switch (type) {
    case '\0':
    case '0':
      return { kind: 'file', mode, content, modified };
    case '1': {
      const other = known.get(plainPath(target));
      if (other === undefined) throw new ImagesError('bad-archive', `${path} is a link to ${target}, which is missing`);
      return other;
    }
    case '2':
      return { kind: 'link', target, modified };
    case '5':
      return { kind: 'directory', mode, modified };
    default:
      // Devices and pipes: no package we use has any, and an image gets its devices from whoever runs it.
      return undefined;
  }
}

function* records(archive: Buffer): Generator<Record> {
  let extended: ReadonlyMap<string, string> = new Map();
  for (let offset = 0; offset + BLOCK <= archive.length;) {
    const block = archive.subarray(offset, offset + BLOCK);
    if (block.every((byte) => byte === 0)) return;
    const size = number(block, 124, 12);
    const content = archive.subarray(offset + BLOCK, offset + BLOCK + size);
    if (content.length < size) throw new ImagesError('bad-archive', 'an archive ends in the middle of a file');
    offset += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    const type = block.toString('latin1', 156, 157);
    if (type === 'L') extended = new Map([...extended, ['path', text(content, 0, size)]]);
    else if (type === 'K') extended = new Map([...extended, ['linkpath', text(content, 0, size)]]);
    else if (type === 'x') extended = new Map([...extended, ...extendedValues(content)]);
    else if (type !== 'g') {
      yield record(block, type, extended, content);
      extended = new Map();
    }
  }
}

function record(block: Buffer, type: string, extended: ReadonlyMap<string, string>, content: Buffer): Record {
  const isPosix = block.toString('latin1', 257, 263) === 'ustar\0';
  const prefix = isPosix ? text(block, 345, 155) : '';
  const name = text(block, 0, 100);
  return {
    path: extended.get('path') ?? (prefix === '' ? name : `${prefix}/${name}`),
    type,
    target: extended.get('linkpath') ?? text(block, 157, 100),
    mode: number(block, 100, 8),
    modified: number(block, 136, 12),
    content,
  };
}

function extendedValues(content: Buffer): readonly (readonly [string, string])[] {
  const values: [string, string][] = [];
  for (let offset = 0; offset < content.length;) {
    const [, length = '', key = ''] = /^(\d+) ([^=]+)=/.exec(content.toString('utf8', offset, offset + 100)) ?? [];
    if (length === '') throw new ImagesError('bad-archive', 'an extended header cannot be read');
    const end = offset + Number(length);
    values.push([key, content.toString('utf8', offset + length.length + key.length + 2, end - 1)]);
    offset = end;
  }
  return values;
}

function text(block: Buffer, offset: number, length: number): string {
  const end = block.indexOf(0, offset);
  return block.toString('utf8', offset, end === -1 ? offset + length : Math.min(end, offset + length));
}

function number(block: Buffer, offset: number, length: number): number {
  const digits = text(block, offset, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw new ImagesError('bad-archive', 'a header of an archive cannot be read');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

function plainPath(path: string): string {
  return path.replace(/^(?:\.?\/)+|^\.$/, '').replace(/\/+$/, '');
}
