import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where our Python programs are: beside the sources, or beside the bundle that was made of them. */
export function programsDirectory(): string {
  if (import.meta.filename.endsWith('.ts')) return join(import.meta.dirname, 'python');
  // The program may be run by a link to it.
  return join(dirname(realpathSync(process.argv[1] ?? '')), 'openstack');
}
