import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

import { readFleetDefinitions } from '@smalt/fleet-api';
import type { KubeConfig } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';
import {
  migrationPolicyKind,
  virtualMachineInstanceKind,
  virtualMachineInstanceMigrationKind,
  virtualMachineInstanceReplicaSetKind,
  virtualMachineKind,
  virtualMachinePoolKind,
} from '@smalt/vm-api';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parseAllDocuments } from 'yaml';

import { startControllerBed, type ControllerBed } from './fixtures/controller-bed.ts';
import { createOwnedClaim } from './fixtures/owned-claim.ts';
import { instanceDraft, machineDraft, migrationDraft } from './fixtures/vm-objects.ts';
import { nodeKind } from './kinds/cluster-node.ts';
import { podKind } from './kinds/launcher-pod.ts';
import { namespaceKind } from './kinds/migration-policy.ts';
import { volumeClaimKind } from './kinds/volume-claim.ts';

const run = promisify(execFile);
const RIGHTS = resolve(import.meta.dirname, '../../../deploy/helm/smalt/files/rbac');
const FILE = resolve(RIGHTS, 'virt-controller.yaml');
/** With `virtController.deleteClaims`: the real server of the bed is as strict as they come. */
const CLAIMS_FILE = resolve(RIGHTS, 'virt-controller-claims.yaml');
const NAMESPACE = 'smalt-system';
const ACCOUNT = 'smalt-virt-controller';
const USER = `system:serviceaccount:${NAMESPACE}:${ACCOUNT}`;

/** What this life does not show, and has to stay; the file says why. */
const notShown = [
  // Our server begins watches with all objects; the real one, on an etcd that cannot, is listed.
  / list /v,
  / update \w+\/finalizers /v,
  / patch events /v,
  / get pods /v,
  // A machine of a pool that is there already is looked at; that takes a crash at the right moment. So is one whose instance a new template restarts.
  / get virtualmachines /v,
  // Is asked for all the time, and therefore not written to the audit log.
  / get leases /v,
];

let bed: ControllerBed;
let namespace: string;

beforeAll(async () => {
  bed = await startControllerBed({ definitions: await readFleetDefinitions() });
  await bed.client.resource(namespaceKind).create({ metadata: { name: NAMESPACE } });
  await run('kubectl', [`--kubeconfig=${bed.files.kubeconfig}`, 'apply', '-f', FILE, '-f', CLAIMS_FILE]);
  // The server takes a moment to know of the last of them.
  const asked = ['auth', 'can-i', 'update', 'leases/virt-controller', '-n', NAMESPACE, `--as=${USER}`];
  await vi.waitFor(() => run('kubectl', [`--kubeconfig=${bed.files.kubeconfig}`, ...asked]), { timeout: 15_000 });
  const leaderElection = { namespace: NAMESPACE, identity: 'test', retryMs: 100 };
  await bed.restart({ kubeConfig: await account(), leaderElection });
  namespace = await bed.namespace();
  await Promise.all([bed.node('n1'), bed.node('n2')]);
});

afterAll(() => bed[Symbol.asyncDispose]());

it(
  'has permissions that are enough for a whole life, and chooses the settings of a policy',
  { timeout: 60_000 },
  async () => {
    const selectors = { virtualMachineInstanceSelector: { machine: 'vm' } };
    const spec = { allowPostCopy: true, bandwidthPerMigration: '64Mi', selectors };
    await bed.client.resource(migrationPolicyKind).create({ metadata: { name: 'fast' }, spec });
    await liveByOrders();

    await bed.client.resource(virtualMachineInstanceMigrationKind).create(migrationDraft(namespace, 'm1', 'vm'));
    const migration = await bed.until(virtualMachineInstanceMigrationKind, `${namespace}/m1`, hasSucceeded);
    await evacuate(migration.status?.migrationState?.targetNode ?? '');
    await adoptScaleAndEnd();
    await scalePool();
    await keepClaims();
    await bed.client.resource(virtualMachineKind).delete('vm', { namespace });
    await bed.untilGone(virtualMachineKind, `${namespace}/vm`);
    await fallSilent();

    expect(migration.status?.migrationState).toMatchObject({
      migrationPolicyName: 'fast',
      migrationConfiguration: { allowPostCopy: true, allowWorkloadDisruption: true, bandwidthPerMigration: '64Mi' },
    });
    const requests = bed.controller.context.metrics.expose().match(/^rest_client_requests_total\{.*$/gmv) ?? [];
    expect(requests.length).toBeGreaterThan(3);
    expect(requests.filter((line) => line.includes('code="403"'))).toEqual([]);
  },
);

it('uses all of its permissions', async () => {
  const granted = grantedIn(await readFile(FILE, 'utf8'));
  const wanted = granted.filter((permission) => !notShown.some((pattern) => pattern.test(permission)));

  await expect.poll(async () => missingFrom(await used(), wanted)).toEqual([]);

  expect(wanted.length).toBeGreaterThan(20);
  // What is excused must be there to be excused.
  expect(notShown.filter((pattern) => !granted.some((permission) => pattern.test(permission)))).toEqual([]);
});

/** A machine is started, changed while it runs, paused, and loses its instance to a name that is taken. */
async function liveByOrders(): Promise<void> {
  await bed.client.resource(virtualMachineInstanceKind).create(instanceDraft(namespace, 'taken'));
  await bed.client.resource(virtualMachineKind).create(machineDraft(namespace, 'taken', 'Always'));
  await bed.client.resource(virtualMachineKind).create(machineDraft(namespace, 'vm', 'Always'));
  await bed.until(virtualMachineInstanceKind, `${namespace}/vm`, ({ status }) => status?.phase === 'Running');
  await bed.until(
    virtualMachineKind,
    `${namespace}/taken`,
    ({ status }) => status?.conditions?.some(({ type }) => type === 'Failure') === true,
  );
  for (const value of ['a', 'b']) await changeLive(value);
  const paused = { type: 'Paused', status: 'True', lastProbeTime: null, lastTransitionTime: '2026-01-01T00:00:00Z' };
  const { metadata } = await setConditions((conditions) => [...conditions, paused]);
  const gate = 'kubevirt.io/virtual-machine-unpaused';
  const pod = `virt-launcher-vm-${(metadata.uid ?? '').replaceAll('-', '').slice(0, 8)}`;
  await bed.until(podKind, `${namespace}/${pod}`, ({ status }) =>
    (status?.conditions ?? []).some(({ type, status: value }) => type === gate && value === 'False'),
  );
  await setConditions((conditions) => conditions.filter(({ type }) => type !== 'Paused'));
}

/** The second change makes it read what the first one noted. */
async function changeLive(value: string): Promise<void> {
  const toleration = { key: value, operator: 'Exists' };
  const spec = { template: { spec: { tolerations: [toleration] } } };
  await bed.client.resource(virtualMachineKind).patch('vm', 'merge', { spec }, { namespace });
  await bed.until(
    virtualMachineInstanceKind,
    `${namespace}/vm`,
    ({ spec: { tolerations = [] } }) => tolerations[0]?.key === value,
  );
}

type Conditions = readonly { readonly type: string }[];

async function setConditions(change: (conditions: Conditions) => Conditions) {
  const instances = bed.client.resource(virtualMachineInstanceKind);
  const { status } = await instances.get('vm', { namespace });
  const patch = [{ op: 'replace', path: '/status/conditions', value: change(status?.conditions ?? []) }];
  return await instances.patch('vm', 'json', patch, { namespace });
}

async function evacuate(node: string): Promise<void> {
  const patch = [{ op: 'add', path: '/status/evacuationNodeName', value: node }];
  await bed.client.resource(virtualMachineInstanceKind).patch('vm', 'json', patch, { namespace });
  await bed.until(
    virtualMachineInstanceKind,
    `${namespace}/vm`,
    ({ status }) => status?.nodeName !== node && status?.evacuationNodeName === undefined,
  );
  const migrations = bed.client.resource(virtualMachineInstanceMigrationKind);
  // The guest has arrived before its migration is said to be over, and a second one is refused until then.
  await expect.poll(async () => (await migrations.list({ namespace })).items.every(hasSucceeded)).toBe(true);
  // More than are kept: the oldest is deleted.
  for (let trip = 0; trip < 5; trip++) {
    await migrations.create(migrationDraft(namespace, `trip-${trip}`, 'vm'));
    await bed.until(virtualMachineInstanceMigrationKind, `${namespace}/trip-${trip}`, hasSucceeded);
  }
  await expect.poll(async () => (await migrations.list({ namespace })).items.length).toBe(5);
}

async function adoptScaleAndEnd(): Promise<void> {
  const sets = bed.client.resource(virtualMachineInstanceReplicaSetKind);
  const { metadata, ...rest } = instanceDraft(namespace, 'free');
  const free = { ...rest, metadata: { ...metadata, labels: { app: 'set' } } };
  await bed.client.resource(virtualMachineInstanceKind).create(free);
  const template = { metadata: { labels: { app: 'set' } }, spec: instanceDraft(namespace, 'set').spec };
  const spec = { replicas: 1, selector: { matchLabels: { app: 'set' } }, template };
  await sets.create({ metadata: { name: 'set', namespace }, spec });
  await bed.until(
    virtualMachineInstanceReplicaSetKind,
    `${namespace}/set`,
    ({ status }) => status?.readyReplicas === 1,
  );
  const { items } = await bed.client.resource(virtualMachineInstanceKind).list({ namespace });
  expect(items.filter(hasOwner('set')).map((each) => each.metadata.name)).toEqual(['free']);
  await sets.scale('set', 0, { namespace });
  await bed.until(virtualMachineInstanceReplicaSetKind, `${namespace}/set`, ({ status }) => status?.replicas === 0);
}

async function scalePool(): Promise<void> {
  const pools = bed.client.resource(virtualMachinePoolKind);
  const labels = { app: 'pool' };
  const { spec } = machineDraft(namespace, 'pool', 'Always');
  const virtualMachineTemplate = { metadata: { labels }, spec };
  await pools.create({
    metadata: { name: 'pool', namespace },
    spec: { replicas: 1, selector: { matchLabels: labels }, virtualMachineTemplate },
  });
  await bed.until(virtualMachinePoolKind, `${namespace}/pool`, ({ status }) => status?.readyReplicas === 1);
  await pools.scale('pool', 0, { namespace });
  await bed.until(virtualMachinePoolKind, `${namespace}/pool`, ({ status }) => status?.replicas === 0);
}

/** A pool that keeps the claims of its machines takes them from these. */
async function keepClaims(): Promise<void> {
  const labels = { app: 'keeper' };
  const volumes = [{ name: 'disk', persistentVolumeClaim: { claimName: 'kept' } }];
  const { spec } = machineDraft(namespace, 'keeper', 'Halted', { volumes });
  const virtualMachineTemplate = { metadata: { labels }, spec };
  const scaleInStrategy = { proactive: { statePreservation: 'Offline' } } as const;
  await bed.client.resource(virtualMachinePoolKind).create({
    metadata: { name: 'keeper', namespace },
    spec: { replicas: 1, selector: { matchLabels: labels }, virtualMachineTemplate, scaleInStrategy },
  });
  await bed.until(virtualMachinePoolKind, `${namespace}/keeper`, ({ status }) => status?.replicas === 1);
  await createOwnedClaim(bed.client, { namespace, name: 'kept', machine: 'keeper-0' });
  await bed.until(volumeClaimKind, `${namespace}/kept`, hasNoOwner);
}

function hasOwner(owner: string): (object: KubernetesObject) => boolean {
  return ({ metadata }) => (metadata.ownerReferences ?? []).some(({ name }) => name === owner);
}

function hasNoOwner({ metadata }: KubernetesObject): boolean {
  return (metadata.ownerReferences ?? []).length === 0;
}

async function fallSilent(): Promise<void> {
  bed.clock.advance(301_000);
  await bed.until(nodeKind, 'n1', ({ metadata }) => metadata.labels?.['kubevirt.io/schedulable'] === 'false');
}

function hasSucceeded({ status }: { readonly status?: { readonly phase?: string } | null }): boolean {
  return status?.phase === 'Succeeded';
}

/** How the controller reaches the server as its ServiceAccount. */
async function account(): Promise<KubeConfig> {
  const path = `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${ACCOUNT}/token`;
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3_600 } };
  const answer: unknown = await bed.client.request({ method: 'POST', path, body: JSON.stringify(request) });
  const { status } = Object(answer);
  return { ...bed.kubeConfig, identity: { kind: 'token', token: { kind: 'text', text: String(status.token) } } };
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** Every permission of the file, such as `list pods of ""`. */
function grantedIn(text: string): readonly string[] {
  return parseAllDocuments(text).flatMap((document) => {
    const { rules = [] }: { readonly rules?: readonly Rule[] } = document.toJS();
    return rules.flatMap(({ apiGroups, resources, verbs }) =>
      apiGroups.flatMap((group) =>
        resources.flatMap((resource) => verbs.map((verb) => ` ${verb} ${resource} of "${group}"`)),
      ),
    );
  });
}

/** What the controller was allowed to do, by the audit log, in the words of `grantedIn`. */
async function used(): Promise<ReadonlySet<string>> {
  const lines = (await readFile(bed.files.auditLog, 'utf8')).split('\n').filter((line) => line.endsWith('}'));
  const events = lines.map((line) => Object(JSON.parse(line)));
  return new Set(
    events
      .filter(({ user }) => user?.username === USER)
      .map(({ verb, objectRef }) => {
        const { resource, subresource, apiGroup = '' } = objectRef ?? {};
        return ` ${verb} ${subresource === undefined ? resource : `${resource}/${subresource}`} of "${apiGroup}"`;
      }),
  );
}

function missingFrom(all: ReadonlySet<string>, wanted: readonly string[]): readonly string[] {
  return wanted.filter((permission) => !all.has(permission));
}
