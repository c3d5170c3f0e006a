import type { DirectoryNode, FileNode, TreeNode } from '../file-tree.ts';
import { NameRegistry } from '../name-registry.ts';
import type { IsoNaming } from './iso-names.ts';

/** A directory of one of the two trees. Its place in the list is its number, less one. */
export interface IsoDirectory {
  readonly node: DirectoryNode;
  readonly identifier: Buffer;
  /** The index of the directory above; that of the root is its own. */
  readonly parent: number;
  readonly entries: readonly IsoEntry[];
}

type IsoEntry =
  | { readonly kind: 'file'; readonly node: FileNode; readonly identifier: Buffer }
  | { readonly kind: 'directory'; readonly node: DirectoryNode; readonly identifier: Buffer; readonly index: number };

const ROOT = Buffer.from([0]);

/** The directories in the order of the path table: by depth, then by the one above, then by name. */
export function isoTree(root: DirectoryNode, naming: IsoNaming): readonly IsoDirectory[] {
  const directories: IsoDirectory[] = [];
  const waiting: Omit<IsoDirectory, 'entries'>[] = [{ node: root, identifier: ROOT, parent: 0 }];
  // Only what was named is written to, and the loop sees what is added to its end.
  for (const directory of waiting) {
    const entries = sortedEntries(directory.node, naming).map((entry): IsoEntry => {
      if (entry.node.kind === 'file') return { kind: 'file', node: entry.node, identifier: entry.identifier };
      waiting.push({ node: entry.node, identifier: entry.identifier, parent: directories.length });
      return { kind: 'directory', node: entry.node, identifier: entry.identifier, index: waiting.length - 1 };
    });
    directories.push({ ...directory, entries });
  }
  return directories;
}

function sortedEntries(
  { children }: DirectoryNode,
  naming: IsoNaming,
): readonly { readonly node: TreeNode; readonly identifier: Buffer }[] {
  const taken = new NameRegistry();
  return children
    .map((node) => ({ node, identifier: naming(node, taken) }))
    .toSorted((left, right) => Buffer.compare(left.identifier, right.identifier));
}
