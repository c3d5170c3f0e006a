import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempDisposableSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

import { expect, it } from 'vitest';

import { builtProgramPath, builtPrograms } from './build/built-programs.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const NAMES: readonly string[] = builtPrograms.map((program) => basename(builtProgramPath(program)));

it('does not say that all is there while programs of nodes, or Helm, are of another version', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-programs-'));
  const programs = makeBed(root.path);
  const bumped = NAMES.filter((name) => /^(?:kubelet|containerd|helm)-[0-9]/.test(name));
  for (const name of bumped) renameSync(join(programs, name), join(programs, name.replace(/-[0-9.]+$/, '-0.0.1')));

  expect(bumped).toHaveLength(3);
  expect(check(root.path)).toEqual({ status: 1, missing: bumped });
});

it('misses nothing that is built once all is built', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-programs-'));
  const programs = makeBed(root.path);

  expect(check(root.path).missing).toEqual([]);
  expect(readdirSync(programs)).toHaveLength(NAMES.length);
});

/** The bed in a repository of its own, in which every program is built; returns their folder. */
function makeBed(root: string): string {
  const programs = join(root, '.cache/kubernetes');
  mkdirSync(programs, { recursive: true });
  for (const name of NAMES) writeFileSync(join(programs, name), '');
  cpSync(import.meta.dirname, join(root, 'beds/kubernetes/src'), { recursive: true });
  writeFileSync(join(root, 'package.json'), '{"type":"module"}');
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  return programs;
}

/** What is missing of the built ones: Debian's may be missing on this machine, too. */
function check(root: string): { readonly status: number | null; readonly missing: readonly string[] } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'beds/kubernetes/src/main.ts'), '--check'],
    {
      encoding: 'utf8',
    },
  );
  expect(stderr).toBe('');
  const lines = stdout.split('\n').filter((line) => line.startsWith(root));
  return { status, missing: lines.map((line) => basename(line.replace(' is missing', ''))) };
}
