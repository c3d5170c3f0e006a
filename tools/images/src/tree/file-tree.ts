interface Common {
  /** Seconds since 1970. */
  readonly modified: number;
}

export type DirectoryEntry = Common & { readonly kind: 'directory'; readonly mode: number };
export type FileEntry = Common & { readonly kind: 'file'; readonly mode: number; readonly content: Buffer };
export type LinkEntry = Common & { readonly kind: 'link'; readonly target: string };

/** Something in a file system of an image. All of it belongs to root. */
export type TreeEntry = DirectoryEntry | FileEntry | LinkEntry;

/** A file system by path, without a slash at the begin. */
export type FileTree = ReadonlyMap<string, TreeEntry>;

/** What we make ourselves has no time of its own: an image must not differ by when it was made. */
const NO_TIME = 0;

export function directory(mode = 0o755): DirectoryEntry {
  return { kind: 'directory', mode, modified: NO_TIME };
}

export function file(content: Buffer | string, mode = 0o644, modified: number = NO_TIME): FileEntry {
  return { kind: 'file', mode, content: Buffer.from(content), modified };
}

export function link(target: string): LinkEntry {
  return { kind: 'link', target, modified: NO_TIME };
}

/** A tree with the directories that the paths in it need, sorted by path. */
export function completeTree(entries: Iterable<readonly [string, TreeEntry]>): FileTree {
  const tree = new Map(entries);
  for (const path of tree.keys()) {
    for (const parent of parentsOf(path)) if (!tree.has(parent)) tree.set(parent, directory());
  }
  return new Map([...tree].toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** The directories above a path, the uppermost first. */
export function parentsOf(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
