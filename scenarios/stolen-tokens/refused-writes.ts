import { eventName, eventOf, migrationOf, migrationStatus, NEW_MIGRATION, PATHS, type Body } from './node-objects.ts';
import {
  condition,
  hypervisorPath,
  make,
  migrationPath,
  nodePath,
  patch,
  replace,
  type NodeAsk,
  type NodeWrite,
} from './node-writes.ts';

export interface RefusedWrite extends NodeWrite {
  readonly what: string;
}

/** By the policy, or by the plugin OwnerReferencesPermissionEnforcement where that is on: whoever is asked first. */
const NO_OWNER = /of n1 may not change|cannot set an ownerRef/v;

/** What a program may write, but not so, of its own node either. */
export const REFUSED_OF_ITS_OWN: readonly RefusedWrite[] = [
  ...ofNode(),
  ...ofHypervisorStatus(),
  ...ofHypervisor(),
  ...['smalt-node-agent', 'smalt-virt-handler'].flatMap(ofEvents),
  ...ofMigrations(),
  {
    what: 'that it is the switch of another',
    refusal: /of n1 may not tell of n2/v,
    ...patch('smalt-ovs-agent', 'ovsnodes', (node) => `${PATHS.ovsNodes}/${node}`, {
      spec: { nodeRef: { name: 'n2' } },
    }),
  },
];

/** By which the control plane is kept off, and by which the operator and virtual machines go. */
function ofNode(): readonly RefusedWrite[] {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'gone', uid: 'gone' };
  return [
    ...[
      { what: 'a label that is not its own', body: labels({ taken: 'yes' }) },
      { what: 'a label that is not its own in another domain', body: labels({ 'evil.example/kubevirt.io': 'yes' }) },
      { what: 'that it is no hypervisor', body: labels({ 'node-role.kubernetes.io/hypervisor': null }) },
      { what: 'another value of the role', body: labels({ 'node-role.kubernetes.io/hypervisor': 'no' }) },
      { what: 'that it has no taints', body: { spec: { taints: null } } },
      { what: 'that no pods come', body: { spec: { unschedulable: true } } },
      { what: 'in which aggregates it is', body: annotations({ 'nova.openstack.cloud.sap/aggregates': 'tenants' }) },
      { what: 'which traits it has', body: annotations({ 'nova.openstack.cloud.sap/custom-traits': 'CUSTOM_A' }) },
      { what: 'an annotation that is not its own', body: annotations({ 'kubevirt.io/taken': 'yes' }) },
      { what: 'that it does not go', body: { metadata: { finalizers: ['evil.example/stay'] } } },
      { what: 'that it goes', body: { metadata: { ownerReferences: [owner] } }, refusal: NO_OWNER },
    ].map(({ body, ...write }) => ({ ...write, ...patch('smalt-virt-handler', 'nodes', nodePath, body) })),
    ...[
      // The server takes both by this way, too.
      { what: 'that it is no hypervisor', body: labels({ 'node-role.kubernetes.io/hypervisor': null }) },
      { what: 'in which aggregates it is', body: annotations({ 'nova.openstack.cloud.sap/aggregates': 'tenants' }) },
      { what: 'another address', body: { status: { addresses: [{ type: 'InternalIP', address: '192.0.2.2' }] } } },
      {
        what: 'that it is on its way out',
        body: { status: { conditions: [{ type: 'Terminating', status: 'True' }] } },
      },
    ].map(({ what, body }) => ({ what, ...patch('smalt-virt-handler', 'nodes/status', nodeStatusPath, body) })),
  ];
}

function nodeStatusPath(node: string): string {
  return `${nodePath(node)}/status`;
}

/** The fields and conditions of others. */
function ofHypervisorStatus(): readonly RefusedWrite[] {
  const fields: Body = {
    aggregates: [{ name: 'tenants', uuid: '00000000-0000-4000-8000-000000000000' }],
    evicted: true,
    hypervisorId: 'hypervisor-of-n2',
    internalIp: '192.0.2.2',
    lifecycleState: 'Active',
    serviceId: 'service-of-n2',
    smokeTest: { failures: 0, passedAt: '2026-01-01T00:00:00Z' },
    specHash: 'of-n2',
    traits: ['CUSTOM_A'],
  };
  return [
    ...Object.entries(fields).map(([name, value]) => ({ what: `status.${name}`, status: { [name]: value } })),
    {
      what: 'that it is the host of another',
      status: { hypervisorId: 'hypervisor-of-n2', serviceId: 'service-of-n2' },
    },
    ...[
      { what: 'that it was switched off', type: 'HypervisorDisabled' },
      { what: 'that it is recovered when it fails', type: 'HaEnabled' },
      { what: 'that it was taken out of the fleet', type: 'Offboarded' },
      { what: 'a condition that nobody knows', type: 'example.com/Checked' },
    ].map(({ what, type }) => ({ what, status: { conditions: [condition(type, 'high availability: incident 1')] } })),
  ].map(({ what, status }) => ({
    what,
    ...patch('smalt-node-agent', 'hypervisors/status', (node) => `${hypervisorPath(node)}/status`, { status }),
  }));
}

/** What others wish of the host, and by which they find what is its. */
function ofHypervisor(): readonly RefusedWrite[] {
  const owner = { apiVersion: 'v1', kind: 'Node', name: 'n2', uid: 'of-n2' };
  return [
    { what: 'the power controller of another', body: annotations({ 'smalt.dev/bmc-address': '192.0.2.2' }) },
    { what: 'that it is onboarded once more', body: annotations({ 'kvm.cloud.sap/onboarding': 'retry' }) },
    { what: 'the outlet of another', body: labels({ 'example.com/outlet': 'of-n2' }) },
    { what: 'that it is in another zone', body: labels({ 'topology.kubernetes.io/zone': 'b' }) },
    { what: 'that it does not go', body: { metadata: { finalizers: ['evil.example/stay'] } } },
    { what: 'that it goes with another', body: { metadata: { ownerReferences: [owner] } }, refusal: NO_OWNER },
    { what: 'that it is in an aggregate', body: { spec: { aggregates: ['tenants'] } } },
    { what: 'that it is in no maintenance', body: { spec: { maintenance: '' } } },
    { what: 'that it is not recovered', body: { spec: { highAvailability: false } } },
  ].map(({ body, ...write }) => ({ ...write, ...patch('smalt-node-agent', 'hypervisors', hypervisorPath, body) }));
}

function ofEvents(account: string): readonly RefusedWrite[] {
  const refusal = /may write no events of others/v;
  return [
    {
      what: 'an event in the name of nobody',
      refusal,
      ...make(account, 'events', PATHS.events, (node) => ({ ...eventOf(account, `${node}-again`), source: {} })),
    },
    {
      what: 'that the event of another is its own',
      refusal,
      account,
      right: 'patch events',
      ask: (node: string) => takeOver(account, { from: 'n2', to: node }),
    },
  ];
}

/** What is told of migrations between others, in records of its own or of theirs. */
function ofMigrations(): readonly RefusedWrite[] {
  return [
    {
      what: 'a Migration of nobody',
      refusal: /of n1 may write no Migration of others/v,
      ...make('smalt-node-agent', 'migrations', PATHS.migrations, () => ({
        ...migrationOf('nobody'),
        metadata: { name: 'of-nobody' },
      })),
    },
    {
      what: 'in its own Migration that a guest moved between others',
      refusal: /of n1 may write no Migration of others/v,
      ...replace(
        'smalt-node-agent',
        'migrations/status',
        () => `${PATHS.migrations}/${NEW_MIGRATION}/status`,
        () => migrationStatus('n2'),
      ),
    },
    {
      what: 'that the Migration of others is its own',
      refusal: /of n1 may not say that another was not there/v,
      ...replace(
        'smalt-node-agent',
        'migrations/status',
        () => `${migrationPath('n2')}/status`,
        (node) => migrationStatus(node),
      ),
    },
  ];
}

function labels(changes: Readonly<Record<string, string | null>>): Body {
  return { metadata: { labels: changes } };
}

function annotations(changes: Readonly<Record<string, string | null>>): Body {
  return { metadata: { annotations: changes } };
}

function takeOver(account: string, { from, to }: { readonly from: string; readonly to: string }): NodeAsk {
  const path = `${PATHS.events}/${eventName(account, from)}`;
  const contentType = 'application/merge-patch+json';
  return { method: 'PATCH', path, body: { source: { host: to } }, contentType };
}
