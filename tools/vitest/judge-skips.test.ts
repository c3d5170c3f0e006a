import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import type { FileOutcomes, RunOutcome } from './count-outcomes.ts';
import { judgeSkips } from './judge-skips.ts';
import { kubernetesFiles } from './kubernetes-files.ts';
import { NEVER_ON_KUBERNETES, ONLY_WHERE_THERE } from './skipped-on-kubernetes.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const never = { file: 'a.test.ts', title: 'is of ours', reason: 'Kubernetes has none' };
const group = { file: 'b.test.ts', title: 'a group', reason: 'one processor' };
const whole = { file: 'c.test.ts', reason: 'no cloud' };
const allowed = { always: [never], sometimes: [group, whole] };

describe('judgeSkips', () => {
  it('tells which tests were left out for a reason that is listed, and for none', () => {
    const run = runOf({
      'a.test.ts': skipping(['is of ours', 'its group'], ['is of all']),
      'b.test.ts': skipping(['is in it', 'a group'], ['is alone']),
      'c.test.ts': skipping(['is in it', 'a group'], ['is alone']),
      'd.test.ts': skipping(['is of ours']),
    });

    expect(judgeSkips(run, allowed)).toEqual({
      unexplained: ['a.test.ts: is of all', 'b.test.ts: is alone', 'd.test.ts: is of ours'],
      explained: [
        'a.test.ts: its group > is of ours (Kubernetes has none)',
        'b.test.ts: a group > is in it (one processor)',
        'c.test.ts: a group > is in it (no cloud)',
        'c.test.ts: is alone (no cloud)',
      ],
      stale: [],
    });
  });

  it('names what should never run and did, but not what runs where it can', () => {
    const run = runOf({ 'a.test.ts': skipping(), 'b.test.ts': skipping() });

    expect(judgeSkips(run, allowed)).toEqual({ unexplained: [], explained: [], stale: ['a.test.ts: is of ours'] });
  });

  it('leaves a file alone that failed, as tests behind a failed set-up are left out as well', () => {
    const run = runOf({ 'd.test.ts': { ...skipping(['is behind it']), failed: 1 } });

    expect(judgeSkips(run, allowed).unexplained).toEqual([]);
  });
});

describe('the lists of tests that may be left out on the real API server', () => {
  const files = kubernetesFiles(ROOT);

  it('name tests that are there, and run on it', () => {
    const lost = [...NEVER_ON_KUBERNETES, ...ONLY_WHERE_THERE].filter(
      ({ file, title = '' }) => !files.includes(file) || !readFileSync(join(ROOT, file), 'utf8').includes(title),
    );

    expect(lost).toEqual([]);
  });

  it('have every test that leaves itself out there', () => {
    const left = files.flatMap((file) => {
      const found = readFileSync(join(ROOT, file), 'utf8').matchAll(
        /skipIf\(isOnKubernetes\(\)\)\(\s*'(?<title>[^']+)'/g,
      );
      return [...found].map(({ groups }) => ({ file, title: groups?.['title'] }));
    });

    expect(NEVER_ON_KUBERNETES.map(({ file, title }) => ({ file, title }))).toEqual(left);
  });
});

/** Tests that were left out, each by its title and that of its group. */
function skipping(...tests: readonly (readonly string[])[]): FileOutcomes {
  const skippedTests = tests.map((titles) => ({ name: titles.toReversed().join(' > '), titles }));
  return { passed: 1, failed: 0, skipped: tests.length, skippedTests };
}

function runOf(files: Readonly<Record<string, FileOutcomes>>): RunOutcome {
  return { files: new Map(Object.entries(files)), strayErrors: 0 };
}
