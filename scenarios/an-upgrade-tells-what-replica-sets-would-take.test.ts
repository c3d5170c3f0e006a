import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { installDefinitions, startTestApiServer, type TestApiServer } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { readVmDefinitions, virtualMachineInstanceKind, virtualMachineInstanceReplicaSetKind } from '@smalt/vm-api';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { readPageBlocks } from './installation/page-blocks.ts';

const run = promisify(execFile);
const NAMESPACE = 'default';
const LABELS = { app: 'web' };
const SPEC = { domain: { devices: {}, memory: { guest: '64Mi' } } };

const owned = new AsyncDisposableStack();
let server: TestApiServer;
let admin: KubeClient;

beforeAll(async () => {
  const signal = AbortSignal.timeout(110_000);
  server = owned.use(await startTestApiServer({ signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  admin = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  await installDefinitions(admin, await readVmDefinitions(), signal);
}, 120_000);

afterAll(() => owned.disposeAsync());

it('lists instances that nobody looks after, by the command of the page', { timeout: 30_000 }, async () => {
  const sets = admin.resource(virtualMachineInstanceReplicaSetKind);
  const spec = {
    replicas: 1,
    selector: { matchLabels: LABELS },
    template: { metadata: { labels: LABELS }, spec: SPEC },
  };
  const set = await sets.create({ metadata: { name: 'web', namespace: NAMESPACE }, spec });
  await sets.patch(
    'web',
    'merge',
    { status: { labelSelector: 'app=web' } },
    { namespace: NAMESPACE, subresource: 'status' },
  );
  const owner = {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstanceReplicaSet',
    name: 'web',
    uid: set.metadata.uid ?? '',
    controller: true,
  };
  const instances = admin.resource(virtualMachineInstanceKind);
  for (const [name, metadata] of Object.entries({
    own: { labels: LABELS, ownerReferences: [owner] },
    stray: { labels: LABELS },
    other: { labels: { app: 'db' } },
  }))
    await instances.create({ metadata: { name, namespace: NAMESPACE, ...metadata }, spec: SPEC });

  const block = (await readPageBlocks()).find(({ page, text }) => page === 'upgrade.md' && text.includes('vmirs'));
  const script = `export KUBECONFIG="$1"\n${block?.text ?? ''}`;
  const { stdout } = await run('sh', ['-c', script, 'sh', server.kubeconfig]);

  expect(stdout).toBe('default/web would take stray\n');
});
