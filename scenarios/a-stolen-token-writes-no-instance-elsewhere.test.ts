import { ChartAccounts, installDefinitions, startTestApiServer } from '@smalt/bed-kubernetes';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { readVmDefinitions } from '@smalt/vm-api';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';

const INSTANCES = '/apis/kubevirt.io/v1/namespaces/default/virtualmachineinstances';
const OLDER = INSTANCES.replace('/v1/', '/v1alpha3/');
const DRY_RUN = new URLSearchParams({ dryRun: 'All' });
/** Where each instance is, and where it goes. */
const PLACES: Readonly<Record<string, Body>> = {
  here: { nodeName: 'n1' },
  elsewhere: { nodeName: 'n2' },
  leaving: { nodeName: 'n1', migrationState: { sourceNode: 'n1', targetNode: 'n2' } },
  coming: { nodeName: 'n2', migrationState: { sourceNode: 'n2', targetNode: 'n1' } },
  passing: { nodeName: 'n2', migrationState: { sourceNode: 'n2', targetNode: 'n3' } },
  left: { nodeName: 'n2', migrationState: { sourceNode: 'n1', targetNode: 'n2', completed: true } },
  nowhere: {},
};
const NOT_HERE = /the virt-handler of n1 may not write the instance \w+, which is not on its node/v;
const NOT_THERE = /the virt-handler of n1 may not say that the instance \w+ is where it was not going/v;
const NO_GOAL = /the virt-handler of n1 may not say where the instance \w+ goes/v;

const owned = new AsyncDisposableStack();
let accounts: ChartAccounts;
let thief: KubeClient;
let nameless: KubeClient;

// No virt-api, which has the same rule in its webhook.
beforeAll(async () => {
  const signal = AbortSignal.timeout(110_000);
  const { kubeconfig } = owned.use(await startTestApiServer());
  const config = await loadKubeConfig({ path: kubeconfig, environment: {} });
  const admin = owned.use(new KubeClient({ config, userAgent: 'admin/1' }));
  await installDefinitions(admin, await readVmDefinitions(), signal);
  accounts = new ChartAccounts({ admin, kubeconfig });
  await accounts.install({ files: ['virt-handler', 'virt-handler-policies'] }, signal);
  await admin.request({ method: 'POST', path: '/api/v1/nodes', body: JSON.stringify({ metadata: { name: 'n1' } }) });
  for (const [name, status] of Object.entries(PLACES)) {
    const spec = { domain: { devices: {} } };
    const body = { apiVersion: 'kubevirt.io/v1', kind: 'VirtualMachineInstance', metadata: { name }, spec, status };
    await admin.request({ method: 'POST', path: INSTANCES, body: JSON.stringify(body) });
  }
  thief = await clientOf('n1');
  nameless = await clientOf();
  // Kubernetes goes by new policies a moment after they were taken.
  await vi.waitUntil(async () => (await write(thief, 'elsewhere', { phase: 'Failed' })) !== 'done', {
    timeout: 30_000,
  });
}, 120_000);

afterAll(() => owned.disposeAsync());

it.each([
  { name: 'here', status: { phase: 'Running' }, said: /^done$/v },
  { name: 'leaving', status: { phase: 'Running' }, said: /^done$/v },
  { name: 'coming', status: { migrationState: { targetNodeAddress: '10.0.0.1' } }, said: /^done$/v },
  { name: 'leaving', status: { nodeName: 'n2', migrationState: { completed: true } }, said: /^done$/v },
  { name: 'coming', status: { nodeName: 'n1', migrationState: { completed: true } }, said: /^done$/v },
  { name: 'leaving', status: { migrationState: null }, said: /^done$/v },
  { name: 'elsewhere', status: { phase: 'Running' }, said: NOT_HERE },
  { name: 'elsewhere', status: { nodeName: 'n1' }, said: NOT_HERE },
  { name: 'elsewhere', status: { migrationState: { targetNode: 'n1' } }, said: NOT_HERE },
  { name: 'passing', status: { phase: 'Failed' }, said: NOT_HERE },
  { name: 'left', status: { phase: 'Failed' }, said: NOT_HERE },
  { name: 'nowhere', status: { nodeName: 'n1' }, said: NOT_HERE },
  { name: 'here', status: { nodeName: 'n2' }, said: NOT_THERE },
  { name: 'here', status: { nodeName: null }, said: NOT_THERE },
  { name: 'leaving', status: { nodeName: 'n3' }, said: NOT_THERE },
  { name: 'here', status: { migrationState: { targetNode: 'n2' } }, said: NO_GOAL },
  { name: 'leaving', status: { migrationState: { targetNode: 'n3' } }, said: NO_GOAL },
])('with the token of a node, and no virt-api, $name gets $status: $said', async ({ name, status, said }) => {
  expect(await write(thief, name, status)).toMatch(said);
  expect(await write(thief, name, status, OLDER)).toMatch(said);
});

it('with a token that says no node nothing is written', async () => {
  expect(await write(nameless, 'nowhere', { phase: 'Failed' })).toContain(
    'the token of this virt-handler says no node',
  );
});

type Body = Readonly<Record<string, unknown>>;

async function clientOf(nodeName?: string): Promise<KubeClient> {
  const config = await accounts.config({ name: 'smalt-virt-handler', nodeName });
  return owned.use(new KubeClient({ config, userAgent: 'thief/1', maxAttempts: 1 }));
}

/** `done`, or why not; nothing is left of it. */
async function write(client: KubeClient, name: string, status: Body, root = INSTANCES): Promise<string> {
  const contentType = 'application/merge-patch+json';
  const body = JSON.stringify({ status });
  try {
    await client.request({ method: 'PATCH', path: `${root}/${name}`, query: DRY_RUN, contentType, body });
    return 'done';
  } catch (error) {
    return String(error);
  }
}
