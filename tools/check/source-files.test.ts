import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { expect, it } from 'vitest';

import { readSourceFiles } from './source-files.ts';

it('finds what is written by hand, in a tree that git knows nothing of', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-sources-'));
  for (const path of ['.ci/run', 'a/src/b.ts', 'a/README.md', 'a/image.png', ...SKIPPED]) write(root.path, path);

  const files = readSourceFiles(root.path);

  expect(files.toSorted((one, other) => one.path.localeCompare(other.path))).toEqual([
    { path: '.ci/run', text: '.ci/run' },
    { path: 'a/README.md', text: 'a/README.md' },
    { path: 'a/src/b.ts', text: 'a/src/b.ts' },
  ]);
});

const SKIPPED = ['node_modules/x/index.ts', 'a/node_modules/y.ts', '.git/z.json', '.cache/q.json', 'a/fixtures/f.ts'];

function write(root: string, path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), path);
}
