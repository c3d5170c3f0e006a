/** Directories that Debian keeps below `usr`; at the top there are links to them. */
export const MERGED_DIRECTORIES = ['bin', 'lib', 'lib64', 'sbin'] as const;

const MERGED = new RegExp(`^(?:${MERGED_DIRECTORIES.join('|')})(?:/|$)`);

/** Where a path of a package really lies: some packages still name the places of old. */
export function mergedPath(path: string): string {
  return MERGED.test(path) ? `usr/${path}` : path;
}
