import { mkdtempDisposableSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { setUpSteps } from './steps.mjs';

it('finds the node modules ready only when they were installed from this very lock file', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-set-up-'));
  writeFileSync(join(root.path, 'package-lock.json'), '{"lockfileVersion":3}');
  mkdirSync(join(root.path, 'node_modules'));
  const [modules] = setUpSteps(root.path, []);
  const before = modules?.missing();

  writeFileSync(join(root.path, 'node_modules', '.smalt-lock'), sha256('{"lockfileVersion":3}'));

  expect([before, modules?.missing()]).toEqual(['installing what package-lock.json names', undefined]);
});

it('names the packages that are not installed, and only those', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-set-up-'));
  writeFileSync(join(root.path, 'package-lock.json'), '{}');

  const [, packages] = setUpSteps(root.path, ['dpkg', 'no-such-package-anywhere']);

  expect(packages?.missing()).toBe('installing no-such-package-anywhere');
});

it('asks for nothing but node modules where no packages are needed', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-set-up-'));
  writeFileSync(join(root.path, 'package-lock.json'), '{}');

  expect(setUpSteps(root.path, []).map((step) => step.name)).toEqual(['node modules']);
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
