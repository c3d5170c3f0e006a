import { DiskImageError } from '../disk-image-error.ts';
import { fileTree, type DirectoryNode, type FileNode, type ImageFile, type TreeNode } from '../file-tree.ts';
import { allocationTable, bootSector } from './boot-sector.ts';
import { planGeometry, RESERVED_SECTORS, SECTOR_BYTES, type FatGeometry } from './fat-geometry.ts';
import { FatNames, type FatName } from './fat-names.ts';
import { ATTRIBUTE, fatRecords, fatRecordsBytes } from './fat-records.ts';

export interface FatImageOptions {
  /** Up to 11 letters, digits, `_`, `-` and spaces; kept in capitals, as FAT has them. */
  readonly label: string;
  readonly files: readonly ImageFile[];
}

/** A FAT12 or FAT16 disk without partitions, with long names. Equal input, equal bytes. */
export function buildFatImage({ label, files }: FatImageOptions): Uint8Array {
  if (!/^[A-Za-z0-9_-](?:[A-Za-z0-9_ -]{0,9}[A-Za-z0-9_-])?$/.test(label)) {
    const message = `"${label}" is no label of a FAT disk: use 1 to 11 letters, digits, - or _`;
    throw new DiskImageError('invalid-label', message);
  }
  const root = fileTree(files);
  const parts = partsOf(root);
  const [rootPart, ...others] = parts;
  const rootBytes = 32 + (rootPart?.bytes ?? 0);
  const geometry = planGeometry(
    rootBytes,
    others.map(({ bytes }) => bytes),
  );
  const chains = placeParts(others, geometry);
  const image = Buffer.alloc(geometry.totalSectors * SECTOR_BYTES);
  bootSector(geometry, label.toUpperCase()).copy(image);
  const table = allocationTable(geometry, [...chains.values()]);
  table.copy(image, RESERVED_SECTORS * SECTOR_BYTES);
  table.copy(image, RESERVED_SECTORS * SECTOR_BYTES + table.length);
  const firstData = geometry.firstDataSector * SECTOR_BYTES;
  const rootStart = firstData - geometry.rootEntries * 32;
  for (const part of parts) {
    const place = chains.get(part.node);
    const offset = place ? firstData + (place.first - 2) * geometry.clusterBytes : rootStart;
    if (part.kind === 'file') image.set(part.node.content, offset);
    else directoryRecords(part, chains, label.toUpperCase()).copy(image, offset);
  }
  return image;
}

/** What gets clusters: the contents of files and of directories; the root comes first. */
type Part =
  | { readonly kind: 'file'; readonly node: FileNode; readonly bytes: number }
  | {
      readonly kind: 'directory';
      readonly node: DirectoryNode;
      readonly parent: DirectoryNode | undefined;
      readonly names: ReadonlyMap<TreeNode, FatName>;
      readonly bytes: number;
    };

interface Chain {
  readonly first: number;
  readonly count: number;
}

function partsOf(node: DirectoryNode, parent?: DirectoryNode): readonly Part[] {
  const registry = new FatNames();
  const names = new Map(node.children.map((child) => [child, registry.take(child.name)]));
  const records = [...names.values()].reduce((sum, name) => sum + fatRecordsBytes(name), 0);
  // Each but the root has records for itself and for the one above.
  const bytes = records + (parent ? 64 : 0);
  return [
    { kind: 'directory', node, parent, names, bytes },
    ...node.children.flatMap((child): readonly Part[] =>
      child.kind === 'directory' ? partsOf(child, node) : [{ kind: 'file', node: child, bytes: child.content.length }],
    ),
  ];
}

function placeParts(parts: readonly Part[], { clusterBytes }: FatGeometry): ReadonlyMap<TreeNode, Chain> {
  const chains = new Map<TreeNode, Chain>();
  let first = 2;
  for (const { node, bytes } of parts) {
    const count = Math.ceil(bytes / clusterBytes);
    if (count > 0) chains.set(node, { first, count });
    first += count;
  }
  return chains;
}

function directoryRecords(
  { node, parent, names }: Extract<Part, { kind: 'directory' }>,
  chains: ReadonlyMap<TreeNode, Chain>,
  label: string,
): Buffer {
  const firstClusterOf = (of: TreeNode): number => chains.get(of)?.first ?? 0;
  const start = parent
    ? [
        specialRecord('.', ATTRIBUTE.directory, firstClusterOf(node)),
        specialRecord('..', ATTRIBUTE.directory, firstClusterOf(parent)),
      ]
    : [specialRecord(label, ATTRIBUTE.volumeLabel, 0)];
  const entries = [...names].map(([child, name]) =>
    fatRecords({
      name,
      attributes: child.kind === 'directory' ? ATTRIBUTE.directory : ATTRIBUTE.file,
      firstCluster: firstClusterOf(child),
      sizeBytes: child.kind === 'file' ? child.content.length : 0,
    }),
  );
  return Buffer.concat([...start, ...entries]);
}

function specialRecord(short: string, attributes: number, firstCluster: number): Buffer {
  const name = { short: Buffer.from(short.padEnd(11), 'latin1'), long: undefined };
  return fatRecords({ name, attributes, firstCluster, sizeBytes: 0 });
}
