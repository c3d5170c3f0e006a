import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestApiServer } from '@smalt/bed-kubernetes';
import { isJsonObject } from '@smalt/json';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { createLogger } from '@smalt/service-runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { MachineAccounts } from './machine-accounts.ts';

const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const signal = AbortSignal.timeout(60_000);
const owned = new AsyncDisposableStack();
let client: KubeClient;
let accounts: MachineAccounts;

beforeAll(async () => {
  const server = owned.use(await startTestApiServer({ signal }));
  const config = await loadKubeConfig({ path: server.kubeconfig, environment: {} });
  client = owned.use(new KubeClient({ config, userAgent: 'test/1' }));
  const directory = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-accounts-')));
  const log = createLogger({ name: 'test', destination: { write: () => undefined } });
  accounts = new MachineAccounts({ client, directory: directory.path, log });
});

afterAll(() => owned.disposeAsync());

it('takes back what an earlier state gave a part, and gives it the rights of deploy', async () => {
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
  const body = JSON.stringify({ metadata: { name: 'smalt-pod-runner' }, roleRef, subjects: [] });
  await client.request({ method: 'POST', path: BINDINGS, body });

  await accounts.open(signal);

  const found = await client.request({ method: 'GET', path: `${BINDINGS}/smalt-pod-runner` });
  expect(isJsonObject(found) && found['roleRef']).toMatchObject({ name: 'smalt-pod-runner' });
});

it.each([
  {
    name: 'smalt-pod-runner',
    may: { verb: 'delete', resource: 'pods' },
    mayNot: { verb: 'list', resource: 'secrets' },
  },
  { name: 'smalt-scheduler', may: { verb: 'list', resource: 'nodes' }, mayNot: { verb: 'get', resource: 'secrets' } },
  {
    name: 'smalt-virt-controller',
    may: { verb: 'create', resource: 'pods' },
    mayNot: { verb: 'get', resource: 'secrets' },
  },
  {
    name: 'smalt-virt-handler',
    may: { verb: 'patch', resource: 'nodes' },
    mayNot: { verb: 'create', resource: 'pods' },
  },
  { name: 'smalt-virt-api', may: { verb: 'get', resource: 'pods' }, mayNot: { verb: 'delete', resource: 'pods' } },
])('lets $name $may.verb $may.resource, and not $mayNot.verb $mayNot.resource', async ({ name, may, mayNot }) => {
  await accounts.open(signal);
  const config = await accounts.join({ name }, signal);
  await using part = new KubeClient({ config, userAgent: `${name}/1` });

  expect([await isAllowed(part, may), await isAllowed(part, mayNot)]).toEqual([true, false]);
});

async function isAllowed(part: KubeClient, resourceAttributes: object): Promise<unknown> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const answer = await part.request({ method: 'POST', path, body: JSON.stringify({ spec: { resourceAttributes } }) });
  const status = isJsonObject(answer) ? answer['status'] : undefined;
  return isJsonObject(status) ? status['allowed'] : undefined;
}
