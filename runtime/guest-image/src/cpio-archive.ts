/** A file, directory or device in an initramfs; paths are relative to its root. */
export type CpioEntry =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'file'; readonly path: string; readonly content: Buffer; readonly isExecutable: boolean }
  | { readonly kind: 'character-device'; readonly path: string; readonly major: number; readonly minor: number };

const MAGIC = '070701';
const TRAILER = 'TRAILER!!!';

/** An archive in the `newc` form that the Linux kernel unpacks as its first file system; equal input, equal bytes. */
export function cpioArchive(entries: readonly CpioEntry[]): Buffer {
  const parts = entries.map((entry, index) => record(entry.path, index + 1, describe(entry)));
  return Buffer.concat([...parts, record(TRAILER, 0, { mode: 0, links: 1 })]);
}

interface Description {
  readonly mode: number;
  readonly links: number;
  readonly content?: Buffer;
  readonly device?: readonly [major: number, minor: number];
}

function describe(entry: CpioEntry): Description {
  if (entry.kind === 'directory') return { mode: 0o040_755, links: 2 };
  if (entry.kind === 'character-device') return { mode: 0o020_600, links: 1, device: [entry.major, entry.minor] };
  return { mode: entry.isExecutable ? 0o100_755 : 0o100_644, links: 1, content: entry.content };
}

function record(path: string, inode: number, { mode, links, content, device }: Description): Buffer {
  const name = Buffer.from(`${path}\0`);
  const [major, minor] = device ?? [0, 0];
  const size = content?.length ?? 0;
  // inode, mode, user, group, links, time, size, device (2), device it stands for (2), name size, checksum
  const fields = [inode, mode, 0, 0, links, 0, size, 0, 0, major, minor, name.length, 0];
  const header = Buffer.from(MAGIC + fields.map((field) => field.toString(16).padStart(8, '0')).join(''));
  return Buffer.concat([padded(Buffer.concat([header, name])), padded(content ?? Buffer.alloc(0))]);
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
}
