import { resolve } from 'node:path';

/** A path of the repository, from its root. */
export function inRepository(...parts: readonly string[]): string {
  return resolve(import.meta.dirname, '../../..', ...parts);
}
