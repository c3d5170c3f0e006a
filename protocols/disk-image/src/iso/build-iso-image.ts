import { DiskImageError } from '../disk-image-error.ts';
import { fileTree, type FileNode, type ImageFile } from '../file-tree.ts';
import { writeDirectory, type IsoExtent, type IsoPlaces } from './directory-records.ts';
import { jolietNaming, primaryNaming } from './iso-names.ts';
import { SECTOR_BYTES, sectorsFor } from './iso-sector.ts';
import { isoTree, type IsoDirectory } from './iso-tree.ts';
import { pathTable } from './path-table.ts';
import { descriptorTerminator, volumeDescriptor } from './volume-descriptor.ts';

export interface IsoImageOptions {
  /** Up to 32 characters of ASCII; Joliet shows the first 16. */
  readonly label: string;
  readonly files: readonly ImageFile[];
}

/** The system area, two descriptors and what ends them. */
const FIRST_TABLE = 19;
const SYSTEM_AREA_SECTORS = 16;

/** An ISO 9660 image with Rock Ridge and Joliet names. Equal input, equal bytes. */
export function buildIsoImage({ label, files }: IsoImageOptions): Uint8Array {
  if (!/^[\x20-\x7e]{1,32}$/.test(label)) {
    throw new DiskImageError('invalid-label', `"${label}" is no label: use 1 to 32 characters of ASCII`);
  }
  const root = fileTree(files);
  const primary = planTree(isoTree(root, primaryNaming), true, FIRST_TABLE);
  const joliet = planTree(isoTree(root, jolietNaming), false, primary.end);
  const contents = planContents(primary.directories, joliet.end);
  const shared = { label, sectors: contents.end };
  return Buffer.concat([
    Buffer.alloc(SYSTEM_AREA_SECTORS * SECTOR_BYTES),
    volumeDescriptor({ kind: 'primary', ...shared, ...primary }),
    volumeDescriptor({ kind: 'joliet', ...shared, ...joliet }),
    descriptorTerminator(),
    ...writeTree(primary, contents.sectorOf),
    ...writeTree(joliet, contents.sectorOf),
    ...contents.nodes.map(({ content }) => padded(content)),
  ]);
}

interface TreePlan {
  readonly directories: readonly IsoDirectory[];
  readonly hasRockRidge: boolean;
  readonly extents: readonly IsoExtent[];
  readonly root: IsoExtent;
  readonly pathTableBytes: number;
  readonly pathTables: { readonly little: number; readonly big: number };
  readonly end: number;
}

const NOWHERE: IsoPlaces = { directory: () => ({ sector: 0, sizeBytes: 0 }), file: () => 0 };

function planTree(directories: readonly IsoDirectory[], hasRockRidge: boolean, start: number): TreePlan {
  const pathTableBytes = pathTable(directories, () => 0, 'little').length;
  const tableSectors = sectorsFor(pathTableBytes);
  const extents: IsoExtent[] = [];
  let end = start + 2 * tableSectors;
  for (const index of directories.keys()) {
    const { bytes, recordsBytes } = writeDirectory(directories, index, NOWHERE, hasRockRidge);
    extents.push({ sector: end, sizeBytes: recordsBytes });
    end += sectorsFor(bytes.length);
  }
  const [root = { sector: end, sizeBytes: 0 }] = extents;
  const pathTables = { little: start, big: start + tableSectors };
  return { directories, hasRockRidge, extents, root, pathTableBytes, pathTables, end };
}

function writeTree(plan: TreePlan, sectorOf: (node: FileNode) => number): readonly Buffer[] {
  const { directories, extents, hasRockRidge, root } = plan;
  const extentOf = (index: number): IsoExtent => extents[index] ?? root;
  const table = (order: 'little' | 'big'): Buffer =>
    padded(pathTable(directories, (index) => extentOf(index).sector, order));
  const places: IsoPlaces = { directory: extentOf, file: sectorOf };
  return [
    table('little'),
    table('big'),
    ...[...directories.keys()].map((index) => writeDirectory(directories, index, places, hasRockRidge).bytes),
  ];
}

/** Both trees point to the same bytes. */
function planContents(
  directories: readonly IsoDirectory[],
  start: number,
): {
  readonly nodes: readonly FileNode[];
  readonly sectorOf: (node: FileNode) => number;
  readonly end: number;
} {
  const nodes = directories.flatMap(({ entries }) =>
    entries.flatMap((entry) => (entry.kind === 'file' ? [entry.node] : [])),
  );
  const sectors = new Map<FileNode, number>();
  let end = start;
  for (const node of nodes) {
    sectors.set(node, end);
    end += sectorsFor(node.content.length);
  }
  return { nodes, sectorOf: (node) => sectors.get(node) ?? start, end };
}

function padded(bytes: Uint8Array): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(sectorsFor(bytes.length) * SECTOR_BYTES - bytes.length)]);
}
