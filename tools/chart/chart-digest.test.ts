import { spawnSync } from 'node:child_process';
import { appendFile, cp, mkdir, mkdtempDisposable, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { expect, it, vi } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

vi.setConfig({ testTimeout: 60_000 });

it.each([
  'deploy/helm/smalt/templates/console.yaml',
  'deploy/helm/smalt/templates/_objects.tpl',
  'deploy/helm/smalt/files/rbac/scheduler.yaml',
  'deploy/helm/smalt/Chart.yaml',
  'deploy/smalt.yaml',
  'deploy/kept.yaml',
  'deploy/logs.yaml',
])('tells without Helm that %s has changed since manifests were rendered', async (path) => {
  await using copy = await repository();
  const before = copy.check();

  await appendFile(join(copy.path, path), '# changed\n');

  expect(before).toEqual({ status: 0, said: '' });
  expect(copy.check()).toEqual({
    status: 1,
    said: "deploy/rendered.sha256 is stale: run 'npm run generate' with helm (npm run bed:kubernetes -- --build)\n",
  });
});

interface Repository extends AsyncDisposable {
  readonly path: string;
  check(): { readonly status: number | null; readonly said: string };
}

/** What the generator reads, on a machine where no Helm was built. */
async function repository(): Promise<Repository> {
  const { path, [Symbol.asyncDispose]: remove } = await mkdtempDisposable('/tmp/smalt-chart-');
  await mkdir(join(path, 'beds/kubernetes/go'), { recursive: true });
  for (const name of ['package.json', 'deploy', 'tools/chart', 'beds/kubernetes/go/helm'])
    await cp(join(ROOT, name), join(path, name), { recursive: true });
  await symlink(join(ROOT, 'node_modules'), join(path, 'node_modules'));
  return {
    path,
    check: () => {
      const words = ['tools/chart/main.ts', '--check'];
      const { status, stdout } = spawnSync(process.execPath, words, { cwd: path, encoding: 'utf8' });
      return { status, said: stdout };
    },
    [Symbol.asyncDispose]: remove,
  };
}
