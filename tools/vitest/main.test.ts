import { execFile } from 'node:child_process';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

import { describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('main.ts', import.meta.url));

const good = `it('passes', () => {}); it('is left out', ({ skip }) => skip());`;
const bad = `it('passes', () => {}); it('fails', () => { expect(1).toBe(2); });`;
const leaks = leakingIf('true');

describe('npm test', { timeout: 60_000 }, () => {
  it('passes with files that fail once, lose an error once or cannot be set up once, and names them', async () => {
    const run = await runTests({
      good,
      group: groupThat("if (!hasRun) throw new Error('not there yet');"),
      leaks: leakingIf('!hasRun'),
      races: knowing('expect(hasRun).toBe(true);'),
    });

    expect(run).toMatchObject({ status: 0, runs: 2, last: '6 passed, 0 failed, 1 skipped' });
    const again = run.lines.find((line) => line.startsWith('once more, each alone: ')) ?? '';
    for (const file of ['group.test.mjs', 'leaks.test.mjs', 'races.test.mjs']) {
      expect(again).toContain(file);
      expect(run.lines).toContain(`passed only on the second run, look into it: ${file}`);
    }
    expect(again).not.toContain('good');
  });

  it('fails with a file that always fails, and counts it once', async () => {
    const run = await runTests({ good, bad });

    expect(run).toMatchObject({ status: 1, runs: 2, last: '2 passed, 1 failed, 1 skipped' });
    expect(run.lines.join('\n')).not.toContain('passed only on the second run');
  });

  it('fails with a file in which an error gets lost again', async () => {
    const always = await runTests({ good, leaks });

    expect(always).toMatchObject({ status: 1, runs: 2, last: '3 passed, 1 failed, 1 skipped' });
  });

  it('fails with a file in which the set-up of a group fails again', async () => {
    const always = await runTests({
      good,
      races: knowing('expect(hasRun).toBe(true);'),
      bad: groupThat("throw new Error('never');"),
    });

    expect(always).toMatchObject({ status: 1, runs: 2, last: '3 passed, 1 failed, 2 skipped' });
  });

  it('runs nothing again when too many files failed', async () => {
    const files = Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`bad-${index}`, bad]));

    const run = await runTests(files);

    expect(run).toMatchObject({ status: 1, runs: 1, last: '7 passed, 7 failed' });
  });

  it('runs what it is asked for, and nothing again when that passes', async () => {
    const run = await runTests({ good, bad }, 'good');

    expect(run).toMatchObject({ status: 0, runs: 1, last: '1 passed, 0 failed, 1 skipped' });
    expect(run.lines.join('\n')).not.toContain('refused by');
  });

  it('fails on the real API server for what an account was refused, though every test passed', async () => {
    const run = await runTests({ refused: refusing('smalt-ha-service') }, '--mode', 'kubernetes', 'refused');

    expect(run).toMatchObject({ status: 1, runs: 1, last: '1 passed, 0 failed' });
    expect(run.lines).toContain('refused by 1 API servers, and no exception explains it: 1');
    expect(run.lines).toContain('  smalt-ha-service: list /api/v1/secrets in apps/a.test.ts: secrets is forbidden');
    expect(run.lines.join('\n')).not.toContain('exceptions that');
  });

  it('fails on the real API server for exceptions that nothing was refused for, when all of it ran', async () => {
    const refused = refusing('stranger');

    const whole = await runTests({ refused }, '--mode', 'kubernetes');
    const half = await runTests({ refused }, '--mode', 'kubernetes', '--shard', '1/1');

    expect(whole).toMatchObject({ status: 1, last: '1 passed, 0 failed' });
    expect(whole.lines.join('\n')).toMatch(/^exceptions that nothing was refused for: \d+\n  \^smalt-/m);
    expect(half).toMatchObject({ status: 0, last: '1 passed, 0 failed' });
    expect(half.lines).toContain('refused by 1 API servers, and no exception explains it: nothing');
    expect(half.lines.join('\n')).not.toContain('exceptions that');
  });

  it('fails on the real API server for a test that was left out without a listed reason, and names it', async () => {
    const run = await runTests({ good }, '--mode', 'kubernetes', 'good');
    const asked = await runTests({ good }, '--mode', 'kubernetes', 'good', '--testNamePattern', 'passes');
    const failed = await runTests({ bad: groupThat("throw new Error('never');") }, '--mode', 'kubernetes', 'bad');

    expect(run).toMatchObject({ status: 1, runs: 1, last: '1 passed, 0 failed, 1 skipped' });
    expect(run.lines.join('\n')).toMatch(/^left out, and no list says why .*: 1\n  good\.test\.mjs: is left out$/m);
    expect(asked).toMatchObject({ status: 0, last: '1 passed, 0 failed, 1 skipped' });
    expect(failed.lines.join('\n')).toMatch(/^left out, and no list says why .*: nothing$/m);
  });

  it('fails when there is nothing to run', async () => {
    expect(await runTests({ good }, 'nowhere')).toMatchObject({ status: 1, runs: 1, last: '0 passed, 0 failed' });
  });
});

interface TestsRun {
  readonly status: number;
  readonly runs: number;
  readonly lines: readonly string[];
  readonly last: string | undefined;
}

/** Runs the tests of a small project, whose files are given by name. */
async function runTests(files: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<TestsRun> {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-vitest-'));
  const config = `export default { test: { globals: true, pool: 'forks', isolate: false } };`;
  await writeFile(join(directory.path, 'vitest.config.mjs'), config);
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory.path, `${name}.test.mjs`), text);
  const options = { cwd: directory.path };
  const { promise, resolve } = Promise.withResolvers<TestsRun>();
  const child = execFile(process.execPath, [script, ...args], options, (_error, stdout) => {
    const lines = stripVTControlCharacters(stdout).trimEnd().split('\n');
    const runs = lines.filter((line) => line.startsWith(' RUN ')).length;
    resolve({ status: child.exitCode ?? -1, runs, lines, last: lines.at(-1) });
  });
  return await promise;
}

/** A test whose bed keeps a refusal of an account, which nobody noticed. */
function refusing(account: string): string {
  const event = {
    verb: 'list',
    requestURI: '/api/v1/secrets?limit=5',
    user: { username: `system:serviceaccount:smalt-system:${account}` },
    objectRef: { resource: 'secrets' },
    responseStatus: { code: 403, message: 'secrets is forbidden' },
  };
  const place = `const place = process.env.SMALT_REFUSAL_DIRECTORY + '/apps/a.test.ts';`;
  const keep = `mkdirSync(place, { recursive: true }); writeFileSync(place + '/1.log', ${JSON.stringify(JSON.stringify(event))});`;
  return `import { mkdirSync, writeFileSync } from 'node:fs'; it('passes', () => { ${place} ${keep} });`;
}

/** A test that loses an error on a condition. */
function leakingIf(condition: string): string {
  const moment = `await new Promise((resolve) => { setTimeout(resolve, 10); });`;
  return knowing(`if (${condition}) Promise.reject(new Error('leaked')); ${moment}`);
}

/** A test that knows whether it `hasRun` before, behind another. */
function knowing(text: string): string {
  const look = `const mark = import.meta.filename + '.mark'; const hasRun = existsSync(mark); writeFileSync(mark, '');`;
  const imports = `import { existsSync, writeFileSync } from 'node:fs';`;
  return `${imports} it('comes first', () => {}); it('comes next', async () => { ${look} ${text} });`;
}

/** A group of tests whose set-up does something; it knows whether the file has run before. */
function groupThat(setUp: string): string {
  const look = `const hasRun = existsSync('group'); writeFileSync('group', '');`;
  const imports = `import { existsSync, writeFileSync } from 'node:fs';`;
  return `${imports} ${look} describe('a group', () => { beforeAll(() => { ${setUp} }); it('passes', () => {}); });`;
}
