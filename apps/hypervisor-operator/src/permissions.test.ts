import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { installDefinitions } from '@smalt/bed-kubernetes';
import { findCondition } from '@smalt/controller-runtime';
import type { Hypervisor } from '@smalt/fleet-api';
import type { KubeConfig } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { allControllers } from './all-controllers.ts';
import { fastConfig } from './fixtures/fast-config.ts';
import { startOperatorBed, type OperatorBed } from './fixtures/operator-bed.ts';
import { plainSpec } from './fixtures/test-hosts.ts';
import { inner } from './start/missing-fields.ts';

const FILE = resolve(import.meta.dirname, '../../../deploy/helm/smalt/files/rbac/hypervisor-operator.yaml');
const NAMESPACE = 'smalt-system';
const ACCOUNT = 'smalt-hypervisor-operator';
const USER = `system:serviceaccount:${NAMESPACE}:${ACCOUNT}`;
const TIMEOUT_MS = 60_000;

/** What this life does not show, and has to stay; the file says why. */
const notShown = [
  // Our server begins watches with all objects; the real one, on an etcd that cannot, is listed.
  / list (?:hypervisors|evictions|nodes|ovsnodes|deployments|poddisruptionbudgets|certificates)/v,
  / update (?:nodes|hypervisors)\/finalizers/v,
  / patch events/v,
  // Is asked for all the time, and therefore not written to the audit log.
  / get leases/v,
];

const namespaceKind: KindReference = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  isNamespaced: false,
};

describe('the permissions of the operator', { retry: 0 }, () => {
  let bed: OperatorBed;

  beforeAll(async () => {
    const { settings, openStack } = await fastConfig({
      'node-lifecycle-when': 'always',
      'certificate-when': 'always',
    });
    bed = await startOperatorBed({
      cloud: {
        hosts: [{ name: 'h1', zone: 'az1' }, { name: 'spare', zone: 'az1' }, 'loner'],
        aggregates: ['tenant_filter_tests', 'gold'],
        behaviour: { liveMigrationMs: 100 },
      },
      openStack: openStack.compute,
    });
    await installPermissions(bed);
    await bed.restartOperator({
      kubeConfig: await accountOf(bed),
      controllers: allControllers(settings),
      leaderElection: { namespace: NAMESPACE, identity: 'test' },
    });
  }, 180_000);

  afterAll(() => bed[Symbol.asyncDispose]());

  it('are enough for a whole life', { timeout: 180_000 }, async () => {
    await appear('h1', '');
    await bed.until('h1', says('Ready', 'True'), TIMEOUT_MS);
    await appear('h1', 'gold');
    await bed.until('h1', ({ spec }) => spec?.aggregates.includes('gold') === true, TIMEOUT_MS);
    bed.cloud.addServer('h1', { name: 'vm' });
    await maintain('h1', 'manual');
    await bed.until('h1', ({ status }) => status?.evicted === true, TIMEOUT_MS);
    await maintain('h1', '');
    await bed.until('h1', says('Ready', 'True'), TIMEOUT_MS);
    await maintain('h1', 'termination');
    await bed.until('h1', says('Offboarded', 'True'), TIMEOUT_MS);
    await leaveWithoutNode();
    await evictNobody();

    const requests = bed.operator.context.metrics.expose().match(/^rest_client_requests_total\{.*$/gmv) ?? [];
    expect(requests.length).toBeGreaterThan(3);
    expect(requests.filter((line) => line.includes('code="403"'))).toEqual([]);
    expect(bed.log.filter((line) => JSON.stringify(line).includes('forbidden'))).toEqual([]);
    expect(bed.cloud.countOf('compute POST /servers')).toBe(1);
    expect(bed.cloud.host('h1')).toBeUndefined();
    const signals = await bed.kubectl('-n', 'kube-system', 'get', 'deploy,pdb', '-o', 'name');
    expect(signals.match(/maint-h1/gv)).toHaveLength(2);
    expect(await bed.kubectl('-n', 'monsoon3', 'get', 'certificates', '-o', 'name')).toContain('libvirt-h1');
  });

  it('are all used', { timeout: 60_000 }, async () => {
    const granted = grantedIn(await readFile(FILE, 'utf8'));
    const wanted = granted.filter((permission) => !notShown.some((pattern) => pattern.test(permission)));

    await expect.poll(async () => missingFrom(await usedBy(bed), wanted)).toEqual([]);

    expect(wanted.length).toBeGreaterThan(20);
    // What is excused must be there to be excused.
    expect(notShown.filter((pattern) => !granted.some((permission) => pattern.test(permission)))).toEqual([]);
  });

  async function appear(name: string, aggregates: string): Promise<void> {
    const labels = {
      'nova.openstack.cloud.sap/virt-driver': 'kvm',
      'cobaltcore.cloud.sap/node-hypervisor-lifecycle': 'true',
      'topology.kubernetes.io/zone': 'az1',
    };
    const annotations = { 'nova.openstack.cloud.sap/aggregates': aggregates };
    await bed.node(name, { labels, annotations, addresses: [{ type: 'InternalIP', address: '10.0.0.1' }] });
  }

  async function maintain(name: string, maintenance: string): Promise<void> {
    await bed.hypervisors.patch(name, 'merge', { spec: { maintenance, maintenanceReason: 'a test' } });
  }

  /** Whether a host has a node is then asked of the server. */
  async function leaveWithoutNode(): Promise<void> {
    const spec = { ...plainSpec(), lifecycleEnabled: true, maintenance: 'termination' as const };
    await bed.hypervisors.create({ metadata: { name: 'loner' }, spec });
    await bed.until('loner', says('Offboarded', 'True'), TIMEOUT_MS);
  }

  /** Whether there is such a hypervisor is asked of the server too. */
  async function evictNobody(): Promise<void> {
    await bed.evictions.create({ metadata: { name: 'lost' }, spec: { hypervisor: 'nobody', reason: 'a test' } });
    await bed.untilEviction('lost', ({ status }) => (status?.conditions?.length ?? 0) > 0, TIMEOUT_MS);
  }
});

function says(type: string, status: string): (hypervisor: Hypervisor) => boolean {
  return (hypervisor) => findCondition(hypervisor.status?.conditions, type)?.status === status;
}

async function installPermissions(bed: OperatorBed): Promise<void> {
  for (const name of [NAMESPACE, 'nova', 'monsoon3']) {
    await bed.client.resource(namespaceKind).create({ metadata: { name } });
  }
  await bed.kubectl('apply', '-f', FILE);
  await installDefinitions(bed.client, [certificateDefinition()], AbortSignal.timeout(30_000));
  // The server takes a moment to know of the last of them.
  const asked = ['auth', 'can-i', 'patch', 'certificates.cert-manager.io', '-n', 'monsoon3', `--as=${USER}`];
  await vi.waitFor(() => bed.kubectl(...asked), { timeout: 15_000 });
}

/** How the operator reaches the server as its ServiceAccount. */
async function accountOf({ client, kubeConfig }: OperatorBed): Promise<KubeConfig> {
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${ACCOUNT}/token`;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3_600 } };
  const answer = await client.request({ method: 'POST', path, body: JSON.stringify(request) });
  const token = inner(answer, 'status', 'token');
  if (typeof token !== 'string') throw new TypeError('the server gave no token');
  return { ...kubeConfig, identity: { kind: 'token', token: { kind: 'text', text: token } } };
}

/** Every permission of the file, such as `nova: list pods of ""`; those for the whole cluster begin with `*`. */
function grantedIn(text: string): readonly string[] {
  return parseAllDocuments(text).flatMap((document) => {
    const object: unknown = document.toJS();
    const [namespace = '*'] = textsOf([inner(object, 'metadata', 'namespace')]);
    return listOf(inner(object, 'rules')).flatMap((rule) => {
      const [groups, resources, verbs] = ['apiGroups', 'resources', 'verbs'].map((name) => textsOf(inner(rule, name)));
      const pairs = groups?.flatMap((group) => resources?.map((resource) => `${resource} of "${group}"`) ?? []);
      return pairs?.flatMap((pair) => verbs?.map((verb) => `${namespace}: ${verb} ${pair}`) ?? []) ?? [];
    });
  });
}

/** What the operator was allowed to do, by the audit log, in the words of `grantedIn`. */
async function usedBy({ server }: OperatorBed): Promise<ReadonlySet<string>> {
  const text = await readFile(join(server.directory, 'audit.log'), 'utf8');
  const events = text
    .split('\n')
    .filter((line) => line.endsWith('}'))
    .map((line): unknown => JSON.parse(line));
  return new Set(events.filter((event) => inner(event, 'user', 'username') === USER).flatMap(permissionsOf));
}

function permissionsOf(event: unknown): readonly string[] {
  const { resource, subresource, apiGroup = '', namespace = '*' } = Object(inner(event, 'objectRef'));
  const name = subresource === undefined ? resource : `${resource}/${subresource}`;
  const verb = String(inner(event, 'verb'));
  // To apply what is not there takes the right to make it.
  const verbs = verb === 'patch' && inner(event, 'responseStatus', 'code') === 201 ? [verb, 'create'] : [verb];
  return verbs.map((each) => `${namespace}: ${each} ${name} of "${apiGroup}"`);
}

function missingFrom(used: ReadonlySet<string>, wanted: readonly string[]): readonly string[] {
  return wanted.filter((permission) => !used.has(permission));
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((each) => typeof each === 'string');
}

function certificateDefinition(): Readonly<Record<string, unknown>> {
  const spec = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const openAPIV3Schema = { type: 'object', properties: { spec } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'certificates.cert-manager.io' },
    spec: {
      group: 'cert-manager.io',
      names: { kind: 'Certificate', listKind: 'CertificateList', plural: 'certificates', singular: 'certificate' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}
