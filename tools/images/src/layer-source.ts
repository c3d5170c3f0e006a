import type { PackagePool } from './debian/read-pool.ts';
import { accountFiles, baseFiles } from './base-files.ts';
import type { ImageRecipe } from './recipes.ts';
import { BASE_FILES } from './recipes.ts';
import { packageNotices, packagesOf } from './tree/package-notices.ts';
import { completeTree, directory, file, type FileTree, type TreeEntry } from './tree/file-tree.ts';
import { selectFiles, type FilePool, type PoolFile, type WantedFiles } from './tree/select-files.ts';

/** What a layer is made of. */
export interface LayerSource {
  readonly name: string;
  readonly tree: FileTree;
  /** Names of the Debian packages that files of it come from. */
  readonly packages: readonly string[];
}

/** Node as it goes into images. */
export interface NodeProgram {
  readonly program: Buffer;
  readonly license: Buffer;
}

/** Not a package of Debian: what is in the pool under this name has no notice there. */
const OWN = '';

/** What every image has. */
export function baseLayer(pool: PackagePool): LayerSource {
  const { tree, packages } = takeFiles(pool, pool.files, BASE_FILES, new Set());
  const certificates = packageNotices(pool.files, pool.controls, onePackage(pool.files, 'ca-certificates'));
  return {
    name: 'base',
    tree: completeTree([...tree, ...baseFiles(pool.files), ...certificates]),
    packages: [...packages, 'ca-certificates'].toSorted(),
  };
}

/** Node, with its libraries. */
export function nodeLayer(pool: PackagePool, { program, license }: NodeProgram, below: LayerSource): LayerSource {
  const own: PoolFile = { package: OWN, entry: file(program, 0o755) };
  const files = new Map([...pool.files, ['usr/bin/node', own] as const]);
  const { tree, packages } = takeFiles(pool, files, { [OWN]: ['usr/bin/node'] }, pathsOf([below]));
  return { name: 'node', tree: completeTree([...tree, ['usr/share/doc/node/LICENSE', file(license)]]), packages };
}

/** The programs that an image has beyond those below; undefined where there is nothing to add. */
export function programsLayer(
  pool: PackagePool,
  recipe: ImageRecipe,
  below: readonly LayerSource[],
): LayerSource | undefined {
  const { wanted, accounts = [], groups = {}, files = {}, directories = [] } = recipe;
  const { tree, packages } = takeFiles(pool, pool.files, wanted, pathsOf(below));
  const own: readonly (readonly [string, TreeEntry])[] = [
    ...(accounts.length > 0 ? accountFiles(accounts, groups) : []),
    ...Object.entries(files).map(([path, text]) => [path, file(text)] as const),
    ...directories.map((path) => [path, directory()] as const),
  ];
  if (tree.size + own.length === 0) return undefined;
  return { name: 'programs', tree: completeTree([...tree, ...own]), packages };
}

function takeFiles(
  pool: PackagePool,
  files: FilePool,
  wanted: WantedFiles,
  present: ReadonlySet<string>,
): Pick<LayerSource, 'tree' | 'packages'> {
  const selected = selectFiles(files, wanted, present);
  const notices = [...packageNotices(files, pool.controls, selected)].filter(([path]) => !present.has(path));
  const tree = new Map([...notices, ...Array.from(selected, ([path, { entry }]) => [path, entry] as const)]);
  return { tree, packages: packagesOf(selected).filter((name) => name !== OWN) };
}

function onePackage(files: FilePool, name: string): ReadonlyMap<string, PoolFile> {
  return new Map([...files].filter(([, one]) => one.package === name));
}

function pathsOf(layers: readonly LayerSource[]): ReadonlySet<string> {
  return new Set(layers.flatMap(({ tree }) => [...tree.keys()]));
}
