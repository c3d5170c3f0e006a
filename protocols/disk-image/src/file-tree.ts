import { DiskImageError } from './disk-image-error.ts';

/** A file to put into an image; directories are made of the slashes in its path. */
export interface ImageFile {
  readonly path: string;
  readonly content: Uint8Array;
}

export interface FileNode {
  readonly kind: 'file';
  readonly name: string;
  readonly content: Uint8Array;
}

export interface DirectoryNode {
  readonly kind: 'directory';
  readonly name: string;
  readonly children: readonly TreeNode[];
}

export type TreeNode = FileNode | DirectoryNode;

interface GrowingDirectory {
  readonly kind: 'directory';
  readonly name: string;
  readonly children: TreeNode[];
  readonly names: Map<string, GrowingDirectory | undefined>;
}

/** What the files of an image may weigh together: an image is made in memory. */
const MAX_CONTENT_BYTES = 256 << 20;
const MAX_FILES = 10_000;
const MAX_NAME_BYTES = 255;
const MAX_DEPTH = 7;

/** The tree of directories that the paths describe, in the order of the files. Throws for paths that no tree can hold. */
export function fileTree(files: readonly ImageFile[]): DirectoryNode {
  checkSize(files);
  const root = growingDirectory('');
  for (const { path, content } of files) {
    const names = namesIn(path);
    const last = names.pop() ?? '';
    const parent = names.reduce((directory, name) => enter(directory, name, path), root);
    if (parent.names.has(last)) {
      throw new DiskImageError('duplicate-path', `"${path}" is in the image already; give each file a path of its own`);
    }
    parent.names.set(last, undefined);
    parent.children.push({ kind: 'file', name: last, content });
  }
  return root;
}

/** Throws for files that no image can hold: paths that lead elsewhere, or that two files share. */
export function checkImageFiles(files: readonly ImageFile[]): void {
  fileTree(files);
}

function checkSize(files: readonly ImageFile[]): void {
  const bytes = files.reduce((sum, { content }) => sum + content.length, 0);
  if (bytes > MAX_CONTENT_BYTES) {
    const message = `The files are ${bytes} bytes together, and ${MAX_CONTENT_BYTES} is the most; leave some out`;
    throw new DiskImageError('too-large', message);
  }
  if (files.length > MAX_FILES) {
    throw new DiskImageError('too-large', `There are ${files.length} files, and ${MAX_FILES} is the most`);
  }
}

function namesIn(path: string): string[] {
  const names = path.split('/');
  if (!path.isWellFormed() || path.includes('\0') || names.some((name) => name === '' || name === '.' || name === '..'))
    throw new DiskImageError('invalid-path', `"${path}" is no path in an image: use names joined by single slashes`);
  const long = names.find((name) => new TextEncoder().encode(name).length > MAX_NAME_BYTES);
  if (long !== undefined) {
    throw new DiskImageError('invalid-path', `"${long.slice(0, 40)}…" is longer than ${MAX_NAME_BYTES} bytes`);
  }
  if (names.length > MAX_DEPTH + 1) {
    throw new DiskImageError('too-deep', `"${path}" lies deeper than ${MAX_DEPTH} directories`);
  }
  return names;
}

function growingDirectory(name: string): GrowingDirectory {
  return { kind: 'directory', name, children: [], names: new Map() };
}

function enter(parent: GrowingDirectory, name: string, path: string): GrowingDirectory {
  const present = parent.names.get(name);
  if (present) return present;
  if (parent.names.has(name)) {
    throw new DiskImageError('duplicate-path', `"${path}" needs "${name}" to be a directory, and it is a file`);
  }
  const made = growingDirectory(name);
  parent.names.set(name, made);
  parent.children.push(made);
  return made;
}
