import { existsSync, globSync, mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
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
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root.path, path)), { recursive: true });
      writeFileSync(join(root.path, path), text);
    }

    expect(kubernetesFiles(root.path)).toEqual(['apps/a/src/near.test.ts', 'scenarios/a-story.slow.test.ts']);
  });
});

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
