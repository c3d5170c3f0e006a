import type { PoolFile, FilePool } from '../tree/select-files.ts';
import type { DebianPackage } from './debian-package.ts';
import type { FetchedPackages } from './fetch-packages.ts';
import { readPackage, type PackageContent } from './read-package.ts';

/** Packages with all their files. */
export interface PackagePool {
  readonly packages: ReadonlyMap<string, DebianPackage>;
  /** What dpkg would know of each. */
  readonly controls: ReadonlyMap<string, string>;
  readonly files: FilePool;
}

/** Unpacking is the work of another process: as many at a time as a small machine has processors. */
const AT_ONCE = 2;

/** Reads what is in packages. */
export async function readPool(
  { packages, paths }: Pick<FetchedPackages, 'packages' | 'paths'>,
  signal: AbortSignal,
): Promise<PackagePool> {
  const files = new Map<string, PoolFile>();
  const controls = new Map<string, string>();
  for (let index = 0; index < packages.length; index += AT_ONCE) {
    const some = packages.slice(index, index + AT_ONCE);
    const contents = await Promise.all(some.map(({ name }) => readPackage(name, paths.get(name) ?? '', signal)));
    for (const content of contents) {
      controls.set(content.name, content.control);
      addFiles(files, content);
    }
  }
  return { packages: new Map(packages.map((one) => [one.name, one])), controls, files };
}

/** Directories belong to many packages; the first of them counts. */
function addFiles(files: Map<string, PoolFile>, { name, entries }: PackageContent): void {
  for (const [path, entry] of entries) if (!files.has(path)) files.set(path, { package: name, entry });
}
