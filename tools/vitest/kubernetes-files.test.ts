import { existsSync, globSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { describe, expect, it } from 'vitest';

import { kubernetesFiles, NOT_ON_KUBERNETES, SCENARIOS_ON_OURS } from './kubernetes-files.ts';

const ROOT = resolve(import.meta.dirname, '../..');

describe('kubernetesFiles', () => {
  it('finds the tests whose bed starts the API server of the run, however far away, and no others', () => {
    using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-files-'));
    const files = {
      'apps/a/src/near.test.ts': "import { bed } from './fixtures/bed.ts';",
      'apps/a/src/fixtures/bed.ts': "import { far } from '../far.ts';\nimport { near } from './circle.ts';",
      'apps/a/src/fixtures/circle.ts': "import { bed } from './bed.ts';",
      'apps/a/src/far.ts': 'await startTestApiServer({ signal });',
      'apps/a/src/pure.test.ts': "import { pure } from './pure.ts';\n// not startTestApiServer",
      'apps/a/src/pure.ts': 'export const pure = 1;',
      'scenarios/a-story.slow.test.ts': 'await startTestApiServer({ signal });',
      'apps/a/node_modules/b/src/b.test.ts': 'await startTestApiServer({ signal });',
    };
    writeFiles(root.path, files);

    expect(kubernetesFiles(root.path)).toEqual(['apps/a/src/near.test.ts', 'scenarios/a-story.slow.test.ts']);
  });

  it('finds the tests of programs that no other run provides', () => {
    using root = mkdtempDisposableSync(join(tmpdir(), 'smalt-files-'));
    writeFiles(root.path, {
      'tools/chart/render.slow.test.ts': "const helm = findHelm() ?? '';",
      'apps/a/src/alerts.test.ts': 'describe.runIf(hasPromtool())',
      'apps/a/src/pure.test.ts': '// neither findHelm nor hasPromtool',
    });

    expect(kubernetesFiles(root.path)).toEqual(['apps/a/src/alerts.test.ts', 'tools/chart/render.slow.test.ts']);
  });

  it('has every test of the chart and of the alerts that is skipped without such a program', () => {
    const asked = globSync('{apps,scenarios,tools/chart}/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules/**'] })
      .filter((file) => /(?:run|skip)If\([^)]*\b(?:helm|hasPromtool)\b/.test(readFileSync(join(ROOT, file), 'utf8')))
      .toSorted();

    const files = kubernetesFiles(ROOT);

    expect(asked).toContain('tools/chart/chart-parts.slow.test.ts');
    expect(asked.filter((file) => !files.includes(file))).toEqual([]);
  });
});

function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

describe('the real API server', () => {
  it('has every scenario on it, but for those that a list names with a reason', () => {
    const scenarios = globSync('scenarios/*.test.ts', { cwd: ROOT });
    const left = [...NOT_ON_KUBERNETES, ...SCENARIOS_ON_OURS];

    const listed = new Set([...kubernetesFiles(ROOT), ...left.map(({ file }) => file)]);

    expect(scenarios.filter((file) => !listed.has(file))).toEqual([]);
    expect(left.filter(({ file, reason }) => !existsSync(join(ROOT, file)) || reason.length < 10)).toEqual([]);
  });

  it('is not kept from a scenario that could be on it', () => {
    const onSwitch = new Set(kubernetesFiles(ROOT));

    expect(SCENARIOS_ON_OURS.filter(({ file }) => onSwitch.has(file))).toEqual([]);
  });
});
