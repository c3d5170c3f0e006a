import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { expect, it } from 'vitest';

import { RECIPE } from './recipe.ts';

const SOURCES = resolve(import.meta.dirname, '..');
const FILES = [
  'cloud-paths.ts',
  'cloud-users.ts',
  'configuration/database-url.ts',
  'python/set_up_keystone.py',
  'python/set_up_nova.py',
  'software/make-state.ts',
  'software/package-names.ts',
  'software/seed-cloud.ts',
  'software/unpack-packages.ts',
] as const;

// Where this fails, write the digest that it found into recipe.ts: the cache is made anew then.
it('is known by all that goes into it', async () => {
  const hash = createHash('sha256');
  for (const file of FILES) hash.update(await readFile(join(SOURCES, file)));

  expect(RECIPE).toBe(hash.digest('hex').slice(0, 12));
});
