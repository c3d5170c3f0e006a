import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startTestApiServer } from '@smalt/bed-kubernetes';
import { isJsonObject } from '@smalt/json';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { createLogger } from '@smalt/service-runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { registerNodes } from '../up/register-nodes.ts';
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

it('renews the tokens of a Node that was deleted and of one made anew, and lets no other wait for them', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-accounts-'));
  const said: string[] = [];
  const log = createLogger({ name: 'test', destination: { write: (line: string) => void said.push(line) } });
  const registerNode = async (name: string): Promise<void> => {
    if (name === 'refused') throw new Error('not this one');
    await registerNodes(client, [name], signal);
  };
  const own = new MachineAccounts({ client, directory: directory.path, log, registerNode, lookMs: 10 });
  await own.open(signal);
  await registerNodes(client, ['refused', 'deleted', 'remade'], signal);
  const parts = { refused: 'smalt-pod-runner', deleted: 'smalt-pod-runner', remade: 'smalt-virt-handler' };
  const files = new Map<string, string>();
  for (const [nodeName, name] of Object.entries(parts))
    files.set(nodeName, await own.tokenFile({ name, nodeName }, signal));
  const tokens = async (names: readonly string[]): Promise<string[]> =>
    await Promise.all(names.map((name) => readFile(files.get(name) ?? '', 'utf8')));
  const before = await tokens(['refused', 'deleted', 'remade']);
  for (const name of files.keys()) await client.request({ method: 'DELETE', path: `/api/v1/nodes/${name}` });
  await registerNodes(client, ['remade'], signal);

  const stop = new AbortController();
  const kept = own.keepFresh(stop.signal);

  await expect.poll(() => areGood(['deleted', 'remade']), { timeout: 20_000 }).toEqual([true, true]);
  await expect.poll(() => said.join(''), { timeout: 20_000 }).toMatch(/"nodeName":"refused"\},"failures":2/);
  expect(await tokens(['refused'])).toEqual(before.slice(0, 1));
  stop.abort();
  await kept;

  async function areGood(names: readonly string[]): Promise<boolean[]> {
    return await Promise.all((await tokens(names)).map(isGood));
  }
});

/** Whether the API server knows whose token this is. */
async function isGood(token: string): Promise<boolean> {
  const identity = { kind: 'token', token: { kind: 'text', text: token } } as const;
  await using part = new KubeClient({ config: { ...client.config, identity }, userAgent: 'part/1' });
  const attributes = { verb: 'get', resource: 'nodes' };
  return (await isAllowed(part, attributes).catch(() => undefined)) !== undefined;
}

async function isAllowed(part: KubeClient, resourceAttributes: object): Promise<unknown> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
  const answer = await part.request({ method: 'POST', path, body: JSON.stringify({ spec: { resourceAttributes } }) });
  const status = isJsonObject(answer) ? answer['status'] : undefined;
  return isJsonObject(status) ? status['allowed'] : undefined;
}
