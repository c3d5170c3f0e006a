import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A file of the repository; its path begins below the root. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** What is installed, made or recorded, and not written by hand. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.cache', '.git', 'dist', 'fixtures', 'node_modules']);
const SOURCE = /[.](ts|mjs|json|md|yaml|yml|sh|c|go)$|^[.]ci\/run$/;

/** Every text the repository holds, found without git: the tree may be an unpacked archive, or belong to another user. */
export function readSourceFiles(root: string, folder: string = ''): readonly SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(entry.name) ? [] : readSourceFiles(root, path);
    return entry.isFile() && SOURCE.test(path) ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : [];
  });
}
