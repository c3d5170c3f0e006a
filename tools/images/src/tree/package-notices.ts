import { posix } from 'node:path';

import { file, type TreeEntry } from './file-tree.ts';
import type { FilePool, PoolFile } from './select-files.ts';

const DOCUMENTS = 'usr/share/doc';

/**
 * What goes along with files of packages: their copyright, which their licences ask for, and what dpkg knows of them, in
 * the place where scanners look for it in images without dpkg.
 */
export function packageNotices(
  pool: FilePool,
  controls: ReadonlyMap<string, string>,
  selected: ReadonlyMap<string, PoolFile>,
): ReadonlyMap<string, TreeEntry> {
  const notices = new Map<string, TreeEntry>();
  for (const name of packagesOf(selected)) {
    const control = controls.get(name);
    if (control !== undefined) notices.set(`var/lib/dpkg/status.d/${name}`, file(control));
    for (const [path, entry] of copyrightOf(pool, name)) notices.set(path, entry);
  }
  return notices;
}

/** The packages that files were taken from, sorted. Directories belong to many, and count for none. */
export function packagesOf(selected: ReadonlyMap<string, PoolFile>): readonly string[] {
  const names = [...selected.values()].flatMap((one) => (one.entry.kind === 'directory' ? [] : [one.package]));
  return [...new Set(names)].toSorted();
}

/** Packages of one source may share their documents, by a link from one directory to another. */
function copyrightOf(pool: FilePool, name: string): readonly (readonly [string, TreeEntry])[] {
  const folder = pool.get(`${DOCUMENTS}/${name}`)?.entry;
  if (folder?.kind === 'link') {
    const other = posix.basename(folder.target);
    return [[`${DOCUMENTS}/${name}`, folder], ...copyrightOf(pool, other)];
  }
  const path = `${DOCUMENTS}/${name}/copyright`;
  const found = pool.get(path)?.entry;
  if (found?.kind === 'link') {
    const other = posix.basename(posix.dirname(posix.resolve('/', posix.dirname(path), found.target)));
    return [[path, found], ...copyrightOf(pool, other)];
  }
  return found === undefined ? [] : [[path, found]];
}
