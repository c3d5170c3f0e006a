import { mkdirSync, mkdtempDisposableSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { createHash } from 'node:crypto';
import { join } from 'node:path';

import { expect, it, vi } from 'vitest';

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

it('provides the guest image, last of all, to whom boots guests', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-set-up-'));
  writeFileSync(join(root.path, 'package-lock.json'), '{}');
  const names = (needs: { bootsGuests: boolean }): readonly string[] =>
    setUpSteps(root.path, ['dpkg'], needs).map((step) => step.name);

  expect(names({ bootsGuests: true })).toEqual([...names({ bootsGuests: false }), 'guest image']);
});

it('runs the guest image on the pinned Node, once, and shows why it could not be made', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-set-up-'));
  writeFileSync(join(root.path, 'package-lock.json'), '{}');
  mkdirSync(join(root.path, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(process.execPath, join(root.path, 'node_modules', '.bin', 'node'));
  mkdirSync(join(root.path, 'beds/libvirt/src/guest'), { recursive: true });
  const script = join(root.path, 'beds/libvirt/src/guest/main.ts');
  const step = setUpSteps(root.path, ['dpkg'], { bootsGuests: true }).at(-1);

  writeFileSync(script, "console.error('no mirror'); process.exitCode = 1;");
  const todo = step?.missing();

  expect(todo).toBe('making a small Linux of Debian packages');
  expect(() => step?.provide()).toThrow('no mirror');

  writeFileSync(script, '');

  expect(step?.missing()).toBeUndefined();
});

it('builds Kubernetes once, before the tests that need it, and shows why it could not be built', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-set-up-'));
  writeFileSync(join(root.path, 'package-lock.json'), '{}');
  mkdirSync(join(root.path, 'node_modules', '.bin'), { recursive: true });
  symlinkSync(process.execPath, join(root.path, 'node_modules', '.bin', 'node'));
  mkdirSync(join(root.path, 'beds/kubernetes/src'), { recursive: true });
  const script = join(root.path, 'beds/kubernetes/src/main.ts');
  const step = setUpSteps(root.path, [], { runsKubernetes: true }).at(-1);

  writeFileSync(script, "console.error('go cannot be run: install Go'); process.exitCode = 1;");

  expect(step?.missing()).toMatch(/^building it from its Go modules/);
  expect(() => step?.provide()).toThrow('go cannot be run: install Go');

  writeFileSync(script, "process.exitCode = ['--check', '--build'].includes(process.argv[2]) ? 0 : 1;");

  expect(step?.missing()).toBeUndefined();
  // Whatever else it is told, it would start a cluster and wait.
  expect(() => step?.provide()).not.toThrow();
});

/** A repository with nothing in its folders, and a Node that does nothing. */
function makeSources(root: string): void {
  for (const folder of [
    'protocols',
    'domain',
    'clients',
    'runtime',
    'adapters',
    'apps',
    'tools/bundle',
    'tools/images',
    '.cache/bundle',
    '.cache/console',
    '.cache/images',
    'node_modules/.bin',
  ]) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  symlinkSync('/bin/true', join(root, 'node_modules/.bin/node'));
  writeFileSync(join(root, '.cache/console/index.html'), '');
}

it('passes on that images are not those of the commit, and nothing else that was said', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-set-up-'));
  writeFileSync(join(root.path, 'package-lock.json'), '{}');
  makeSources(root.path);
  rmSync(join(root.path, 'node_modules/.bin/node'));
  const program = '#!/bin/sh\necho not the images of this commit: a 2 instead of 1 >&2\necho done\n';
  writeFileSync(join(root.path, 'node_modules/.bin/node'), program, { mode: 0o755 });
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);

  setUpSteps(root.path, [], { runsImages: true }).at(-1)?.provide();

  const said = write.mock.calls.flat().join('');
  write.mockRestore();
  expect(said.trim()).toBe('not the images of this commit: a 2 instead of 1');
});

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

it('bundles the program again when a source has changed or its pages are gone, and not for a test', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-set-up-'));
  writeFileSync(join(root.path, 'package-lock.json'), '{}');
  makeSources(root.path);
  const step = setUpSteps(root.path, [], { runsBundle: true }).at(-1);

  const states = [step?.missing()];
  step?.provide();
  states.push(step?.missing());
  writeFileSync(join(root.path, 'apps', 'some.test.ts'), '');
  states.push(step?.missing());
  writeFileSync(join(root.path, 'apps', 'some.tsx'), '');
  states.push(step?.missing());
  step?.provide();
  states.push(step?.missing());
  rmSync(join(root.path, '.cache/console/index.html'));
  states.push(step?.missing());

  const needed = 'bundling the sources';
  expect(states).toEqual([needed, undefined, undefined, needed, undefined, needed]);
});

it('makes the images again when the program, their recipes or what was made has changed', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-set-up-'));
  writeFileSync(join(root.path, 'package-lock.json'), '{}');
  makeSources(root.path);
  const [program, images] = setUpSteps(root.path, [], { runsImages: true }).slice(-2);
  const isCurrentAfter = (change: () => void): boolean => {
    program?.provide();
    images?.provide();
    expect(images?.missing()).toBeUndefined();
    change();
    program?.provide();
    return images?.missing() === undefined;
  };

  expect({
    nothing: isCurrentAfter(() => {}),
    program: isCurrentAfter(() => writeFileSync(join(root.path, 'apps/some.ts'), '')),
    recipe: isCurrentAfter(() => writeFileSync(join(root.path, 'tools/images/recipes.ts'), '')),
    lock: isCurrentAfter(() => writeFileSync(join(root.path, 'tools/images/debian-12.lock'), '')),
    image: isCurrentAfter(() => writeFileSync(join(root.path, '.cache/images/smalt.tar'), '')),
  }).toEqual({ nothing: true, program: false, recipe: false, lock: false, image: false });
});
