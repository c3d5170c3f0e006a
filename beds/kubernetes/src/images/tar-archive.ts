/** A file, directory or symbolic link of an archive. */
export type TarEntry = { readonly path: string } & (
  | { readonly kind: 'file'; readonly content: Buffer; readonly isExecutable?: boolean }
  | { readonly kind: 'directory' }
  | { readonly kind: 'link'; readonly target: string }
);

const BLOCK = 512;
const TYPES = { file: '0', directory: '5', link: '2' } as const;
const LONGEST_PATH = 100;

/** The bytes of a tar archive (POSIX ustar) with these entries, in this order; all of them belong to root, and have no age. */
export function tarArchive(entries: readonly TarEntry[]): Buffer {
  const parts = entries.flatMap((entry) => {
    const content = entry.kind === 'file' ? entry.content : Buffer.alloc(0);
    return [header(entry, content.length), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)];
  });
  return Buffer.concat([...parts, Buffer.alloc(2 * BLOCK)]);
}

function header(entry: TarEntry, size: number): Buffer {
  const target = entry.kind === 'link' ? entry.target : '';
  for (const path of [entry.path, target])
    if (Buffer.byteLength(path) > LONGEST_PATH) throw new RangeError(`${path} is too long for a tar archive of ours`);
  const block = Buffer.alloc(BLOCK);
  const octal = (value: number, offset: number, length: number): void => {
    block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset);
  };
  block.write(entry.path, 0);
  octal(mode(entry), 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(0, 136, 12);
  block.write(TYPES[entry.kind], 156);
  block.write(target, 157);
  block.write('ustar', 257);
  block.write('00', 263);
  // The sum counts its own field as blanks.
  block.fill(' ', 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function mode(entry: TarEntry): number {
  if (entry.kind === 'file') return entry.isExecutable === true ? 0o755 : 0o644;
  return entry.kind === 'directory' ? 0o755 : 0o777;
}
