import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { findCondition } from '@smalt/controller-runtime';
import { hypervisorKind, type Hypervisor } from '@smalt/fleet-api';
import type { KubeConfig } from '@smalt/kube';
import type { KindReference, KubernetesObject } from '@smalt/kubernetes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { startServiceBed, type BedReplica, type ServiceBed } from './fixtures/service-bed.ts';
import { configMapKind } from './start/tell-authority.ts';

const FILE = resolve(import.meta.dirname, '../../../deploy/helm/smalt/files/rbac/ha-service.yaml');
const NAMESPACE = 'smalt-system';
const AUTHORITY = { name: 'smalt-ha-authority', namespace: NAMESPACE };
const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

let bed: ServiceBed;
let replica: BedReplica;

beforeAll(async () => {
  bed = await startServiceBed({ hosts: ['h1'] });
  await bed.client.resource(namespaceKind).create({ metadata: { name: NAMESPACE } });
  await createNodeLeaseNamespace();
  for (const object of await permissionObjects()) await create(object);
  await bed.client.resource(hypervisorKind).create({ metadata: { name: 'h1' }, spec: SPEC });
  await bed.client.resource(configMapKind).create({ metadata: AUTHORITY });
  const { authorityFile, ...tls } = bed.tls;
  replica = await bed.start('permitted', {
    kubeConfig: await accountOf('smalt-ha-service'),
    settings: {
      tls: { ...tls, authority: { file: authorityFile, configMap: AUTHORITY.name } },
      kubernetes: { leaseNamespace: NAMESPACE },
      pace: { lookIntervalMs: 200, refreshIntervalMs: 1_000 },
    },
  });
});

afterAll(() => bed[Symbol.asyncDispose]());

describe('the permissions of the HA service', () => {
  it('are enough to tell agents who signed its certificate', async () => {
    const told = async (): Promise<string | undefined> => {
      const { data } = await bed.client.resource(configMapKind).get(AUTHORITY.name, { namespace: NAMESPACE });
      return data?.['ca.crt'];
    };

    await expect.poll(told).toBe(await readFile(bed.tls.authorityFile, 'utf8'));
  });

  it('are enough to lead, to watch, to ask who somebody is, and to state conditions', async () => {
    await createAccount('vera', 'smalt-ha-viewer');
    const { identity } = await accountOf('vera', ['smalt-ha-service']);
    const token = identity.kind === 'token' && identity.token.kind === 'text' ? identity.token.text : '';

    await expect.poll(async () => (await replica.get('/api/v1/status', token))['isLeading']).toBe(true);
    await finishOnboarding();
    await expect.poll(haEnabled).toBeDefined();

    const status = await replica.get('/api/v1/status', token);
    expect(status['you']).toEqual({ name: `system:serviceaccount:${NAMESPACE}:vera`, role: 'viewer' });
    const requests = (await replica.scrape()).match(/^rest_client_requests_total\{.*$/gm) ?? [];
    expect(requests.length).toBeGreaterThan(3);
    expect(requests.filter((line) => line.includes('code="403"'))).toEqual([]);
    expect(bed.log.filter((line) => line.includes('forbidden'))).toEqual([]);
  });

  it('let an account without a role in nowhere', async () => {
    await createAccount('mallory', undefined);
    const { identity } = await accountOf('mallory', ['smalt-ha-service']);
    const token = identity.kind === 'token' && identity.token.kind === 'text' ? identity.token.text : '';

    expect(await replica.get('/api/v1/status', token)).toMatchObject({ status: 401 });
  });
});

const SPEC: NonNullable<Hypervisor['spec']> = {
  version: '',
  reboot: false,
  evacuateOnReboot: true,
  lifecycleEnabled: true,
  skipTests: false,
  customTraits: [],
  aggregates: [],
  allowedProjects: [],
  highAvailability: true,
  createCertManagerCertificate: false,
  installCertificate: true,
  maintenance: '',
};

async function haEnabled(): Promise<unknown> {
  const { status } = await bed.client.resource(hypervisorKind).get('h1');
  return findCondition(status?.conditions, 'HaEnabled');
}

/** As the operator tells it once a host was tested. */
async function finishOnboarding(): Promise<void> {
  const condition = { type: 'Onboarding', status: 'True', reason: 'Handover', message: 'waits for HaEnabled' };
  const conditions = [{ ...condition, lastTransitionTime: new Date(0).toISOString() }];
  const fields = { metadata: { name: 'h1' }, status: { conditions, hypervisorId: '1', serviceId: '1' } };
  await bed.client.resource(hypervisorKind).patch('h1', 'merge', fields, { subresource: 'status' });
}

async function permissionObjects(): Promise<readonly Readonly<Record<string, unknown>>[]> {
  return parseAllDocuments(await readFile(FILE, 'utf8')).map((document) => Object(document.toJS()));
}

async function createNodeLeaseNamespace(): Promise<void> {
  await bed.client
    .resource(namespaceKind)
    .create({ metadata: { name: 'kube-node-lease' } })
    // Some API servers make it themselves.
    .catch(() => undefined);
}

const PLURALS: Readonly<Record<string, string>> = {
  ServiceAccount: 'serviceaccounts',
  ClusterRole: 'clusterroles',
  ClusterRoleBinding: 'clusterrolebindings',
  Role: 'roles',
  RoleBinding: 'rolebindings',
};

async function create(object: Readonly<Record<string, unknown>>): Promise<void> {
  const kind = String(object['kind']);
  const isCore = kind === 'ServiceAccount';
  const { metadata } = object as unknown as KubernetesObject;
  const root = isCore ? '/api/v1' : '/apis/rbac.authorization.k8s.io/v1';
  const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  const path = `${root}${place}/${PLURALS[kind]}`;
  await bed.client.request({ method: 'POST', path, body: JSON.stringify(object) });
}

async function createAccount(name: string, role: string | undefined): Promise<void> {
  await create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: NAMESPACE } });
  if (role === undefined) return;
  await create({
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name, namespace: NAMESPACE }],
  });
}

/** How the server is reached as a ServiceAccount. */
async function accountOf(name: string, audiences: readonly string[] = []): Promise<KubeConfig> {
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${name}/token`;
  const spec = { expirationSeconds: 3_600, audiences };
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec };
  const answer = await bed.client.request({ method: 'POST', path, body: JSON.stringify(request) });
  const token = Object(Object(answer).status).token;
  if (typeof token !== 'string') throw new TypeError('the server gave no token');
  return { ...bed.kubeConfig, identity: { kind: 'token', token: { kind: 'text', text: token } } };
}
