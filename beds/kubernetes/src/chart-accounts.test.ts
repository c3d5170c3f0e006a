import { mkdtempDisposable, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { afterEach, expect, it, vi } from 'vitest';

import { ChartAccounts } from './chart-accounts.ts';
import { startTestApiServer } from './start-test-api-server.ts';

const signal = AbortSignal.timeout(120_000);

afterEach(() => {
  vi.unstubAllEnvs();
});

it('lets a component do what the chart lets it do and nothing else, and what it did stays behind', async () => {
  await using audit = await mkdtempDisposable(join(tmpdir(), 'smalt-audit-'));
  await using refusals = await mkdtempDisposable(join(tmpdir(), 'smalt-refusals-'));
  vi.stubEnv('SMALT_AUDIT_DIRECTORY', audit.path);
  vi.stubEnv('SMALT_REFUSAL_DIRECTORY', refusals.path);

  const answers = await askAs('smalt-ha-service', [
    '/api/v1/secrets',
    '/apis/coordination.k8s.io/v1/namespaces/NS/leases/x',
    '/apis/coordination.k8s.io/v1/namespaces/NS/leases/smalt-ha-service',
  ]);

  expect(answers).toEqual([403, 403, 404]);
  const lines = await linesIn(audit.path);
  const refused = await linesIn(join(refusals.path, 'beds/kubernetes/src/chart-accounts.test.ts'));
  expect(lines.filter(isAboutSecrets)).toHaveLength(1);
  expect(lines.length).toBeGreaterThan(1);
  expect(refused).toEqual(lines.filter((line) => line.includes('"code":403') && line.includes(':smalt-ha-service"')));
});

async function linesIn(directory: string): Promise<readonly string[]> {
  const [log = ''] = await readdir(directory);
  return (await readFile(join(directory, log), 'utf8')).trim().split('\n');
}

function isAboutSecrets(line: string): boolean {
  return line.includes('"/api/v1/secrets"') && line.includes(':smalt-ha-service"');
}

/** The statuses that a component gets, which has its release in a namespace of another name. */
async function askAs(name: string, paths: readonly string[]): Promise<readonly unknown[]> {
  await using server = await startTestApiServer({ signal });
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  await using admin = new KubeClient({ config, userAgent: 'admin/1' });
  const accounts = new ChartAccounts({ admin, kubeconfig: server.kubeconfig, namespace: 'elsewhere' });
  await accounts.install({ files: ['ha-service'] }, signal);
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-account-'));
  const path = await accounts.kubeconfig({ name }, directory.path);
  const own = await loadKubeConfig({ path, environment: {} });
  await using client = new KubeClient({ config: own, userAgent: 'component/1', maxAttempts: 1 });
  return await Promise.all(
    paths.map((each) =>
      client.request({ method: 'GET', path: each.replace('NS', 'elsewhere') }).then(
        () => 200,
        (error: unknown) => Object(error).httpStatus,
      ),
    ),
  );
}
