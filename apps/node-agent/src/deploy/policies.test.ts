import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { installDefinitions, startTestApiServer } from '@smalt/bed-kubernetes';
import { readFleetDefinitions } from '@smalt/fleet-api';
import { KubeClient, loadKubeConfig } from '@smalt/kube';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

const RIGHTS = resolve(import.meta.dirname, '../../../../deploy/helm/smalt/files/rbac');
const FLEET = '/apis/kvm.cloud.sap/v1';
const LEASES = '/apis/coordination.k8s.io/v1/namespaces/smalt-system/leases';
const PLURALS: Readonly<Record<string, string>> = { ValidatingAdmissionPolicy: 'validatingadmissionpolicies' };

const owned = new AsyncDisposableStack();
let admin: KubeClient;
/** The agent of n1, or who has stolen its token. */
let agent: KubeClient;

beforeAll(async () => {
  const { kubeconfig } = owned.use(await startTestApiServer());
  const config = await loadKubeConfig({ path: kubeconfig, environment: {} });
  admin = owned.use(new KubeClient({ config, userAgent: 'admin/1' }));
  await installDefinitions(admin, await readFleetDefinitions(), AbortSignal.timeout(110_000));
  await post(admin, '/api/v1/namespaces', { metadata: { name: 'smalt-system' } });
  for (const name of ['n1', 'n2']) {
    await post(admin, '/api/v1/nodes', { metadata: { name } });
    await post(admin, `${FLEET}/hypervisors`, hypervisor(name));
  }
  for (const file of ['node-agent', 'node-agent-policies']) await install(file);
  const token = { kind: 'token', token: { kind: 'text', text: await tokenOf('n1') } } as const;
  agent = owned.use(new KubeClient({ config: { ...config, identity: token }, userAgent: 'agent/1', maxAttempts: 1 }));
}, 120_000);
afterAll(() => owned.disposeAsync());

describe('the agent of a node', () => {
  it('tells about its own Hypervisor, and is refused what is about another', async () => {
    await expect.poll(() => tell('n2')).toContain('the node agent of n1 may not write n2');
    expect(await tell('n1')).toBe('done');
  });

  it('holds its own Lease alone', async () => {
    const refused = expect.stringContaining('the node agent of n1 may not write smalt-node-agent-n2');

    expect(await post(agent, LEASES, { metadata: { name: 'smalt-node-agent-n1' } })).toBe('done');
    expect(await post(agent, LEASES, { metadata: { name: 'smalt-node-agent-n2' } })).toEqual(refused);
  });

  it('has its own host emptied, and no other, whatever the Eviction is called', async () => {
    const path = `${FLEET}/evictions`;

    const others = [
      await post(agent, path, eviction('n2', 'n2')),
      await post(agent, path, eviction('n1', 'n2')),
      await post(agent, path, eviction('n2', 'n1')),
    ];

    expect(others).toEqual([
      expect.stringContaining('the node agent of n1 may not write n2'),
      expect.stringContaining('the node agent of n1 may empty no other host'),
      expect.stringContaining('the node agent of n1 may not write n2'),
    ]);
    expect(await post(agent, path, eviction('n1', 'n1'))).toBe('done');
  });
});

async function tell(name: string): Promise<string> {
  return await ask(agent, 'PATCH', `${FLEET}/hypervisors/${name}/status`, { status: { numInstances: 1 } });
}

async function post(client: KubeClient, path: string, body: object): Promise<string> {
  return await ask(client, 'POST', path, body);
}

/** `done`, or why not. */
async function ask(client: KubeClient, method: 'POST' | 'PATCH', path: string, body: object): Promise<string> {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  try {
    await client.request({ method, path, body: JSON.stringify(body), contentType });
    return 'done';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function install(file: string): Promise<void> {
  for (const document of parseAllDocuments(await readFile(`${RIGHTS}/${file}.yaml`, 'utf8'))) {
    const { apiVersion, kind, metadata, ...rest } = Object(document.toJS());
    const root = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
    const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
    const path = `${root}${place}/${PLURALS[kind] ?? `${String(kind).toLowerCase()}s`}`;
    expect(await post(admin, path, { apiVersion, kind, metadata, ...rest })).toBe('done');
  }
}

async function tokenOf(node: string): Promise<string> {
  const path = '/api/v1/namespaces/smalt-system/serviceaccounts/smalt-node-agent/token';
  const spec = { boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: node } };
  return Object(await admin.request({ method: 'POST', path, body: JSON.stringify({ spec }) })).status.token;
}

function hypervisor(name: string): object {
  return { apiVersion: 'kvm.cloud.sap/v1', kind: 'Hypervisor', metadata: { name }, spec: {} };
}

function eviction(name: string, host: string): object {
  return {
    apiVersion: 'kvm.cloud.sap/v1',
    kind: 'Eviction',
    metadata: { name },
    spec: { hypervisor: host, reason: 'reboot' },
  };
}
