import { dirname, join, resolve } from 'node:path';

/** Where the pages of the console were built: beside the bundle of this program, and so also for its sources. */
export function pagesDirectory(): string {
  if (import.meta.filename.endsWith('.ts')) return join(import.meta.dirname, '../../../../.cache/console');
  return join(dirname(resolve(process.argv[1] ?? '')), '../console');
}
