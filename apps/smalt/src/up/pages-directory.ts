import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where the pages of the console were built: beside the bundle of this program, and so also for its sources. */
export function pagesDirectory(): string {
  if (import.meta.filename.endsWith('.ts')) return join(import.meta.dirname, '../../../../.cache/console');
  // The program may be run by a link to it.
  return join(dirname(realpathSync(process.argv[1] ?? '')), '../console');
}
