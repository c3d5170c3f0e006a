import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

it('builds what is missing before it starts a cluster, and says what to install where there is no Go', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-programs-'));
  const programs = makeBed(root.path);
  rmSync(join(programs, NAMES[0] ?? ''));

  const { status, stdout, stderr } = runBed(root.path, []);

  expect(stdout).toContain('is built from its Go modules');
  expect(stderr).toMatch(/^go cannot be run .*: install Go 1\.26 or newer/);
  expect(status).toBe(1);
});

it('starts nothing when it is only to build', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-programs-'));
  makeBed(root.path);

  const { stdout, stderr } = runBed(root.path, ['--build']);

  expect(stderr).toBe('');
  // The programs are empty: none of them could be started. Debian's may be missing on this machine.
  expect(stdout).toMatch(/^(?:All is there|Debian's programs are missing)/m);
});

it('refuses what it does not know, and says what there is', () => {
  using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-programs-'));
  makeBed(root.path);

  const { status, stderr } = runBed(root.path, ['--run']);

  expect(stderr).toContain('--run: is none of --build, --check, --help');
  expect(status).toBe(2);
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
  const { status, stdout, stderr } = runBed(root, ['--check']);
  expect(stderr).toBe('');
  const lines = stdout.split('\n').filter((line) => line.startsWith(root));
  return { status, missing: lines.map((line) => basename(line.replace(' is missing', ''))) };
}

/** Runs it where no Go is on the PATH. */
function runBed(root: string, words: readonly string[]): SpawnSyncReturns<string> {
  const script = join(root, 'beds/kubernetes/src/main.ts');
  return spawnSync(process.execPath, [script, ...words], { encoding: 'utf8', env: { PATH: '/nowhere' } });
}
