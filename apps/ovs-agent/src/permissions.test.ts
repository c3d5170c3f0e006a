import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';

import { startOvsNode, type OvsNode } from '@smalt/bed-ovs';
import { KubeClient, loadKubeConfig, type KubeConfig } from '@smalt/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { startAgentBed, type AgentBed } from './fixtures/agent-bed.ts';
import type { OvsAgent } from './ovs-agent.ts';
import { TROUBLESHOOTING_DEFAULTS } from './troubleshoot/troubleshooting-settings.ts';

const FILE = resolve(import.meta.dirname, '../../../deploy/helm/smalt/files/rbac/ovs-agent.yaml');
const NAMESPACE = 'ovn-system';

const owned = new AsyncDisposableStack();
let agents: AgentBed;
let node: OvsNode;
let agent: OvsAgent;

beforeAll(async () => {
  agents = owned.use(await startAgentBed());
  for (const document of parseAllDocuments(await readFile(FILE, 'utf8'))) await create(Object(document.toJS()));
  node = owned.use(await startOvsNode({ datapath: 'dummy', name: 'n1' }));
  await node.vsctl('add-br', 'br-int');
  const { path } = owned.use(await mkdtempDisposable(join(tmpdir(), 'smalt-rbac-')));
  const troubleshooting = { ...TROUBLESHOOTING_DEFAULTS, listen: '127.0.0.1:0', stateDirectory: path };
  for (const name of ['n1', 'n2']) await create({ apiVersion: 'v1', kind: 'Node', metadata: { name } });
  const kubeConfig = await configOf(await tokenOf('smalt-ovs-agent', 'n1'));
  agent = owned.use(await agents.startAgent(node, { kubeConfig, troubleshooting }));
});

afterAll(() => owned.disposeAsync());

describe('the permissions of the OVS agent', () => {
  it('are enough to make and keep the OVSNode, and to ask who somebody is and what they may', async () => {
    await createAccount('vera', 'smalt-ovs-viewer');
    await createAccount('carl', 'smalt-ovs-capturer');
    await createAccount('mallory', undefined);
    await agents.until('n1', ({ status }) => status?.bridges?.[0]?.status === 'Active');
    const tokens = await Promise.all(['vera', 'carl', 'mallory'].map((name) => tokenOf(name)));

    const looks = await Promise.all(tokens.map((token) => statusOf('/v1/diagnostics', { token })));
    // The port is not there: who may capture hears that.
    const captures = await Promise.all(
      tokens.map((token) => statusOf('/v1/captures', { token, body: { port: 'none' } })),
    );

    expect([looks, captures]).toEqual([
      [200, 200, 403],
      [403, 422, 403],
    ]);
    const requests = (await scrape()).match(/^rest_client_requests_total\{.*$/gm) ?? [];
    expect(requests.length).toBeGreaterThan(3);
    expect(requests.filter((line) => line.includes('code="403"'))).toEqual([]);
  });

  it('let the agent read which client certificates count', async () => {
    const { identity } = await loadKubeConfig({ path: agents.server.kubeconfig, environment: {} });
    const pair = identity.kind === 'certificate' ? [identity.certificate, identity.key] : [];
    const [cert, key] = pair.map((each) => (each.kind === 'text' ? each.text : ''));

    const ask = (): Promise<number> => statusOf('/v1/diagnostics', { tls: { cert, key } });

    // It is read in the background.
    await expect.poll(ask).toBe(200);
  });
});

describe('an agent', () => {
  it('makes and writes what is about its own node, and is refused what is about another', async () => {
    await using one = await clientOf('n1');
    await using two = await clientOf('n2');
    const status = { status: { ovsVersion: '0.0.0' } };
    const attempts = [
      apply(two, ovsNode('n2')),
      apply(two, ovsNode('n1')),
      apply(two, { ...ovsNode('n1'), ...status }, '/status'),
      put(two, lease('n2')),
      put(two, lease('n1')),
    ];

    const answers = await Promise.all(attempts);
    const late = await Promise.all([apply(one, { ...ovsNode('n2'), ...status }, '/status'), apply(one, ovsNode('n2'))]);

    expect([...answers, ...late]).toEqual([
      'done',
      expect.stringContaining(refused('n1', 'n2')),
      expect.stringContaining(refused('n1', 'n2')),
      'done',
      expect.stringContaining(refused('smalt-ovs-agent-n1', 'n2')),
      expect.stringContaining(refused('n2', 'n1')),
      expect.stringContaining(refused('n2', 'n1')),
    ]);
  });

  it('whose token says no node writes nothing, and is told what to do', async () => {
    await using nowhere = await clientOf(undefined);

    expect(await apply(nowhere, ovsNode('n1'))).toContain(
      'run it as a pod, or give it a token that is bound to its Node',
    );
  });

  it('is all that the policy is about: others write what they may', async () => {
    expect(await put(agents.client, lease('n3'))).toBe('done');
    expect(await apply(agents.client, ovsNode('n3'))).toBe('done');
  });
});

async function scrape(): Promise<string> {
  return await agent.metrics.scrapeText(AbortSignal.timeout(5_000));
}

const PLURALS: Readonly<Record<string, string>> = {
  ServiceAccount: 'serviceaccounts',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
  Node: 'nodes',
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
};

const OVS_NODE = { apiVersion: 'ovs.c5c3.io/v1alpha1', kind: 'OVSNode' };
const LEASE = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };

function ovsNode(name: string): Created {
  return { ...OVS_NODE, metadata: { name, namespace: NAMESPACE }, spec: { nodeRef: { name } } };
}

function lease(nodeName: string): Created {
  return { ...LEASE, metadata: { name: `smalt-ovs-agent-${nodeName}`, namespace: NAMESPACE } };
}

function refused(name: string, by: string): string {
  return `the OVS agent of ${by} may not write ${name}`;
}

async function clientOf(nodeName: string | undefined): Promise<KubeClient> {
  const config = await configOf(await tokenOf('smalt-ovs-agent', nodeName));
  return new KubeClient({ config, userAgent: 'permissions/1', maxAttempts: 1 });
}

/** Makes an object, or writes it; `done`, or what the server says against it. */
async function apply(client: KubeClient, object: Created, subresource = ''): Promise<string> {
  const { name } = object.metadata;
  const path = `/apis/${object.apiVersion}/namespaces/${NAMESPACE}/ovsnodes/${name}${subresource}`;
  const query = new URLSearchParams({ fieldManager: 'test', force: 'true' });
  const contentType = 'application/apply-patch+yaml';
  return await outcome(client.request({ method: 'PATCH', path, query, contentType, body: JSON.stringify(object) }));
}

async function put(client: KubeClient, object: Created): Promise<string> {
  const path = `/apis/${object.apiVersion}/namespaces/${NAMESPACE}/leases`;
  return await outcome(client.request({ method: 'POST', path, body: JSON.stringify(object) }));
}

async function outcome(asked: Promise<unknown>): Promise<string> {
  return await asked.then(
    () => 'done',
    (error: unknown) => String(error),
  );
}

interface Created {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: unknown;
}

async function create(object: Created): Promise<void> {
  const { apiVersion, kind, metadata } = object;
  const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  const path = `${root}${place}/${PLURALS[kind]}`;
  await agents.client.request({ method: 'POST', path, body: JSON.stringify(object) });
}

async function createAccount(name: string, role: string | undefined): Promise<void> {
  const metadata = { name, namespace: NAMESPACE };
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata };
  await create(account);
  if (role === undefined) return;
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role };
  const subjects = [{ kind: 'ServiceAccount', name, namespace: NAMESPACE }];
  const binding = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata, roleRef, subjects };
  await create(binding);
}

/** A token of an account, as a pod on this node has it if one is given. */
async function tokenOf(name: string, nodeName?: string): Promise<string> {
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${name}/token`;
  const bound = nodeName === undefined ? {} : { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: nodeName } };
  const spec = { expirationSeconds: 3_600, ...bound };
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const answer = await agents.client.request({ method: 'POST', path, body: JSON.stringify(body) });
  return String(Object(Object(answer).status).token);
}

async function configOf(token: string): Promise<KubeConfig> {
  const config = await loadKubeConfig({ path: agents.server.kubeconfig, environment: {} });
  return { ...config, identity: { kind: 'token', token: { kind: 'text', text: token } } };
}

interface Asked {
  readonly token?: string;
  readonly body?: unknown;
  readonly tls?: Readonly<Record<string, string | undefined>>;
}

async function statusOf(path: string, { token, body, tls }: Asked): Promise<number> {
  const method = body === undefined ? 'GET' : 'POST';
  const { metadata } = await agents.ovsNodes.get('n1', { namespace: NAMESPACE });
  const ca = metadata.annotations?.['smalt.dev/troubleshooting-ca'];
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const port = agent.troubleshootingPort;
  const sent = request({ method, host: '127.0.0.1', port, path, ca, agent: false, headers, ...tls });
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const answered = Promise.withResolvers<IncomingMessage>();
  sent.once('response', answered.resolve).once('error', answered.reject);
  const response = await answered.promise;
  response.resume();
  return response.statusCode ?? 0;
}
