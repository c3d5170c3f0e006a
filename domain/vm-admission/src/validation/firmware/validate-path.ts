import { posix } from 'node:path';

import { invalid, type Cause } from '../../cause.ts';

/** A path inside an image is absolute and plain, so that it cannot lead out of the image. */
export function validatePath(field: string, path: string): readonly Cause[] {
  if (path === '/') return [invalid(field, `${field} must not point to root`)];
  const given = path.endsWith('/') ? path.slice(0, -1) : path;
  const plain = posix.join('/', path).replace(/(.)\/$/, '$1');
  if (given === plain) return [];
  return [invalid(field, `${field} must be an absolute path to a file without relative components`)];
}
