import { posix } from 'node:path';

import { isElf, readElf } from '../elf/read-elf.ts';
import { ImagesError } from '../images-error.ts';
import { parentsOf, type TreeEntry } from './file-tree.ts';
import { mergedPath } from './merged-path.ts';

/** A file of a package, or of nobody's. */
export interface PoolFile {
  readonly package: string;
  readonly entry: TreeEntry;
}

/** All files that could be taken, by path. */
export type FilePool = ReadonlyMap<string, PoolFile>;

/** Which files of a package are wanted: paths, in which `*` stands for a part of a name and `**` for anything. */
export type WantedFiles = Readonly<Record<string, readonly string[]>>;

/** Where Debian's loader looks for libraries. */
const LIBRARY_DIRECTORIES = ['usr/lib/x86_64-linux-gnu', 'usr/lib', 'usr/lib64'] as const;

/**
 * The wanted files and all that they cannot do without: what links lead to, the loader of programs, and libraries, which
 * are found as the loader finds them. What lower layers have is not taken again. Throws `missing-file` and `missing-library`.
 */
export function selectFiles(
  pool: FilePool,
  wanted: WantedFiles,
  present: ReadonlySet<string>,
): ReadonlyMap<string, PoolFile> {
  const selected = new Map<string, PoolFile>();
  const open = Object.entries(wanted).flatMap(([name, patterns]) => patterns.flatMap((one) => match(pool, name, one)));
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const found = pool.get(path);
    if (found === undefined || selected.has(path) || present.has(path)) continue;
    selected.set(path, found);
    open.push(...needsOf(path, found.entry, (other) => pool.has(other) || present.has(other)));
    for (const parent of parentsOf(path)) {
      const directory = pool.get(parent);
      if (directory !== undefined && !present.has(parent)) selected.set(parent, directory);
    }
  }
  return selected;
}

function match(pool: FilePool, name: string, pattern: string): readonly string[] {
  const expression = patternExpression(pattern);
  const found = [...pool].flatMap(([path, file]) => (file.package === name && expression.test(path) ? [path] : []));
  if (found.length > 0) return found;
  throw new ImagesError('missing-file', `the package ${name} has no ${pattern}: the recipe does not fit this Debian`);
}

/** `*` does not go beyond a slash, `**` does. */
function patternExpression(pattern: string): RegExp {
  const parts = pattern.split(/(\*\*|\*)/).map((part) => {
    if (part === '**') return '.*';
    return part === '*' ? '[^/]*' : part.replaceAll(/[.+()[\]{}^$|?\\]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join('')}$`);
}

function needsOf(path: string, entry: TreeEntry, has: (path: string) => boolean): readonly string[] {
  if (entry.kind === 'link') return [linkTarget(path, entry.target, has)];
  if (entry.kind === 'directory' || !isElf(entry.content)) return [];
  const { interpreter, libraries, runPaths } = readElf(entry.content);
  const loader = interpreter === undefined ? [] : [mergedPath(interpreter.slice(1))];
  return [...loader, ...libraries.map((name) => findLibrary(name, path, runPaths, has))];
}

function linkTarget(path: string, target: string, has: (path: string) => boolean): string {
  const found = mergedPath(posix.join('/', posix.resolve('/', posix.dirname(path), target)).slice(1));
  if (has(found)) return found;
  throw new ImagesError('missing-file', `${path} leads to ${target}, which no package has`);
}

function findLibrary(name: string, path: string, runPaths: readonly string[], has: (path: string) => boolean): string {
  const own = runPaths.map((place) => posix.resolve('/', place.replace('$ORIGIN', `/${posix.dirname(path)}`)).slice(1));
  const found = [...own.map(mergedPath), ...LIBRARY_DIRECTORIES].map((place) => `${place}/${name}`).find(has);
  if (found !== undefined) return found;
  throw new ImagesError('missing-library', `${path} needs the library ${name}, which no package has`);
}
