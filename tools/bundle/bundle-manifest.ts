import { relative } from 'node:path';

/** What a bundler tells of a file that it wrote. */
export interface WrittenChunk {
  readonly fileName: string;
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
  /** The sources in it, by path. */
  readonly moduleIds: readonly string[];
}

interface Chunk {
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
  /** The directories of the npm packages in it, below the root of the repository. */
  readonly packages: readonly string[];
}

/** What is in the program and in the pages, for those who put them into images. */
export interface BundleManifest {
  readonly chunks: Readonly<Record<string, Chunk>>;
  readonly pages: Pick<Chunk, 'packages'>;
}

/** Says of each file of the program which others it loads, and whose code is in it. */
export function bundleManifest(
  root: string,
  chunks: readonly WrittenChunk[],
  pageModules: readonly string[],
): BundleManifest {
  const entries = chunks.map(({ fileName, imports, dynamicImports, moduleIds }) => {
    const chunk: Chunk = { imports, dynamicImports, packages: packagesOf(root, moduleIds) };
    return [fileName, chunk] as const;
  });
  return {
    chunks: Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1))),
    pages: { packages: packagesOf(root, pageModules) },
  };
}

/** Of packages inside of packages the inner one. */
const PACKAGE = /^\0?(\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;

function packagesOf(root: string, modules: readonly string[]): readonly string[] {
  const folders = modules.flatMap((path) => PACKAGE.exec(path)?.[1] ?? []);
  return [...new Set(folders.map((folder) => relative(root, folder)))].toSorted();
}
