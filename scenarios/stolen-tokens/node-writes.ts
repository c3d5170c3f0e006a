import {
  claimOf,
  eventName,
  eventOf,
  evictionOf,
  hypervisorOf,
  leaseOf,
  leasesIn,
  migrationName,
  migrationOf,
  migrationStatus,
  NEW_MIGRATION,
  ovsNodeOf,
  PATHS,
  volumeOf,
  type Body,
} from './node-objects.ts';

/** A write that an account may do, for one node or another. */
export interface NodeWrite {
  readonly account: string;
  /** Such as `patch nodes/status`. */
  readonly right: string;
  /** What the server says against it, where that does not name the node of the token. */
  readonly refusal?: RegExp;
  readonly ask: (node: string) => NodeAsk;
}

interface NodeAsk {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: Body;
  readonly contentType?: string;
}

export interface OwnWrite extends NodeWrite {
  readonly what: string;
}

/** A right to write that has nothing to do with one node, and why. */
export interface OtherWrite {
  readonly right: string;
  readonly reason: string;
}

const LABELS = { metadata: { labels: { stolen: 'yes' } } };
/** Of each sort that a virt-handler writes. */
const HANDLER_LABELS = {
  metadata: {
    labels: {
      'cpu-model.node.kubevirt.io/Stolen': 'true',
      'kubevirt.io/schedulable': 'true',
      'node-labeller.kubevirt.io/obsolete-host-model': 'true',
      cpumanager: 'true',
    },
  },
};

/** Each thing that a program of a node may write about it. Those that make come before those that change. */
export const WRITES: readonly NodeWrite[] = [
  make('smalt-node-agent', 'hypervisors', PATHS.hypervisors, hypervisorOf),
  patch('smalt-node-agent', 'hypervisors', (node) => `${PATHS.hypervisors}/${node}`, LABELS),
  patch('smalt-node-agent', 'hypervisors/status', (node) => `${PATHS.hypervisors}/${node}/status`, {
    status: { numInstances: 1, conditions: [condition('LibVirtConnection', 'libvirt answers')] },
  }),
  make('smalt-node-agent', 'evictions', PATHS.evictions, evictionOf),
  remove('smalt-node-agent', 'evictions', (node) => `${PATHS.evictions}/${node}`),
  make('smalt-node-agent', 'migrations', PATHS.migrations, (node) => migrationOf(node)),
  replace('smalt-node-agent', 'migrations/status', (node) => `${migrationPath(node)}/status`, migrationStatus),
  // As when it is about to be put away.
  patch('smalt-node-agent', 'migrations', migrationPath, {
    metadata: { annotations: { 'smalt.dev/moves-to': 'elsewhere' } },
  }),
  remove('smalt-node-agent', 'migrations', migrationPath),
  ...ownLease('smalt-node-agent', leasesIn('smalt-system'), (node) => `smalt-node-agent-${node}`),
  ...ownLease('smalt-virt-handler', leasesIn('smalt-system'), (node) => `smalt-virt-handler-${node}`),
  ...['smalt-node-agent', 'smalt-virt-handler'].flatMap((account) => [
    make(account, 'events', PATHS.events, (node) => eventOf(account, node)),
    patch(account, 'events', (node) => `${PATHS.events}/${eventName(account, node)}`, { count: 2 }),
  ]),
  {
    ...patch('smalt-virt-handler', 'virtualmachineinstances', (node) => `${PATHS.instances}/vm-${node}`, {
      status: { guestOSInfo: { name: 'stolen' } },
    }),
    // By the policy, or in the words of KubeVirt by virt-api: whoever is asked first.
    refusal: /of n1 may not write the instance|only allowed to modify VMIs it owns/v,
  },
  patch('smalt-virt-handler', 'nodes', nodePath, HANDLER_LABELS),
  patch('smalt-virt-handler', 'nodes/status', (node) => `${PATHS.nodes}/${node}/status`, {
    status: { capacity: { 'devices.kubevirt.io/kvm': '1' } },
  }),
  make('smalt-ovs-agent', 'ovsnodes', PATHS.ovsNodes, ovsNodeOf),
  patch('smalt-ovs-agent', 'ovsnodes', (node) => `${PATHS.ovsNodes}/${node}`, LABELS),
  patch('smalt-ovs-agent', 'ovsnodes/status', (node) => `${PATHS.ovsNodes}/${node}/status`, {
    status: { ovsVersion: '0.0.0' },
  }),
  ...ownLease('smalt-ovs-agent', leasesIn('ovn-system'), (node) => `smalt-ovs-agent-${node}`),
  make('smalt-pod-runner', 'nodes', PATHS.nodes, (name) => ({ metadata: { name } })),
  patch('smalt-pod-runner', 'nodes', (node) => `${PATHS.nodes}/${node}`, LABELS),
  patch('smalt-pod-runner', 'nodes/status', (node) => `${PATHS.nodes}/${node}/status`, {
    status: { phase: 'Running' },
  }),
  patch('smalt-pod-runner', 'pods/status', (node) => `${PATHS.pods}/pod-${node}/status`, {
    status: { message: 'stolen' },
  }),
  remove('smalt-pod-runner', 'pods', (node) => `${PATHS.pods}/pod-${node}`),
  make('smalt-pod-runner', 'persistentvolumes', PATHS.volumes, volumeOf),
  patch('smalt-pod-runner', 'persistentvolumes/status', (node) => `${PATHS.volumes}/pvc-${claimOf(node)}/status`, {
    status: { message: 'stolen' },
  }),
  remove('smalt-pod-runner', 'persistentvolumes', (node) => `${PATHS.volumes}/pvc-${claimOf(node)}`),
  ...ownLease('smalt-pod-runner', leasesIn('kube-node-lease'), (node) => node),
  patch('smalt-pod-runner', 'leases', (node) => `${leasesIn('kube-node-lease')}/${node}`, LABELS),
];

/** What a program may write, but not so, of its own node either. */
export const REFUSED_OF_ITS_OWN: readonly OwnWrite[] = [
  ...[
    { what: 'a label that is not its own', body: labels({ taken: 'yes' }) },
    { what: 'a label that is not its own in another domain', body: labels({ 'evil.example/kubevirt.io': 'yes' }) },
    { what: 'that it is no hypervisor', body: labels({ 'node-role.kubernetes.io/hypervisor': null }) },
    { what: 'another value of the role', body: labels({ 'node-role.kubernetes.io/hypervisor': 'no' }) },
    { what: 'that it has no taints', body: { spec: { taints: null } } },
    { what: 'that no pods come', body: { spec: { unschedulable: true } } },
  ].map(({ what, body }) => ({ what, ...patch('smalt-virt-handler', 'nodes', nodePath, body) })),
  ...[
    { what: 'that it was switched off', type: 'HypervisorDisabled' },
    { what: 'that it is recovered when it fails', type: 'HaEnabled' },
    { what: 'that it was taken out of the fleet', type: 'Offboarded' },
  ].map(({ what, type }) => ({
    what,
    ...patch('smalt-node-agent', 'hypervisors/status', (node) => `${PATHS.hypervisors}/${node}/status`, {
      status: { conditions: [condition(type, 'high availability: incident 1')] },
    }),
  })),
  ...['smalt-node-agent', 'smalt-virt-handler'].flatMap((account) => [
    {
      what: 'an event in the name of nobody',
      refusal: /may write no events of others/v,
      ...make(account, 'events', PATHS.events, (node) => ({ ...eventOf(account, `${node}-again`), source: {} })),
    },
    {
      what: 'that the event of another is its own',
      refusal: /may write no events of others/v,
      account,
      right: 'patch events',
      ask: (node: string) => takeOver(account, { from: 'n2', to: node }),
    },
  ]),
  ...lies(),
  // The server takes labels by this way, too.
  {
    what: 'that it is no hypervisor',
    ...patch(
      'smalt-virt-handler',
      'nodes/status',
      (node) => `${nodePath(node)}/status`,
      labels({ 'node-role.kubernetes.io/hypervisor': null }),
    ),
  },
];

const CLAIMS =
  'a claim has no node: a policy lets it be led to the volume that was made for it, and that one has a node';
const CLASSES = 'the class is one for all nodes; only its own, smalt-local, can be changed';
const TOKENS = 'a token is for a pod by its name: a policy refuses others, and those of the control plane';
const REVIEWS = 'a question, which changes nothing';

/** What these accounts may write beside that. */
export const NOT_ABOUT_A_NODE: readonly OtherWrite[] = [
  ...['smalt-virt-handler', 'smalt-ovs-agent'].flatMap((account) =>
    ['tokenreviews', 'subjectaccessreviews'].map((kind) => ({ right: `${account} create ${kind}`, reason: REVIEWS })),
  ),
  { right: 'smalt-pod-runner patch persistentvolumeclaims', reason: CLAIMS },
  { right: 'smalt-pod-runner patch persistentvolumeclaims/status', reason: CLAIMS },
  { right: 'smalt-pod-runner create storageclasses', reason: CLASSES },
  { right: 'smalt-pod-runner patch storageclasses', reason: CLASSES },
  { right: 'smalt-pod-runner create serviceaccounts/token', reason: TOKENS },
];

function nodePath(node: string): string {
  return `${PATHS.nodes}/${node}`;
}

function migrationPath(node: string): string {
  return `${PATHS.migrations}/${migrationName(node)}`;
}

/** What is told of migrations between others, in records of its own or of theirs. */
function lies(): readonly OwnWrite[] {
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

function takeOver(account: string, { from, to }: { readonly from: string; readonly to: string }): NodeAsk {
  const path = `${PATHS.events}/${eventName(account, from)}`;
  const contentType = 'application/merge-patch+json';
  return { method: 'PATCH', path, body: { source: { host: to } }, contentType };
}

function condition(type: string, message: string): Body {
  return { type, status: 'True', reason: 'Succeeded', message, lastTransitionTime: '2026-01-01T00:00:00Z' };
}

function make(account: string, kind: string, path: string, bodyOf: (node: string) => Body): NodeWrite {
  return { account, right: `create ${kind}`, ask: (node) => ({ method: 'POST', path, body: bodyOf(node) }) };
}

function patch(account: string, kind: string, pathOf: (node: string) => string, body: Body): NodeWrite {
  const contentType = 'application/merge-patch+json';
  return {
    account,
    right: `patch ${kind}`,
    ask: (node) => ({ method: 'PATCH', path: pathOf(node), body, contentType }),
  };
}

function replace(
  account: string,
  kind: string,
  pathOf: (node: string) => string,
  bodyOf: (node: string) => Body,
): NodeWrite {
  return {
    account,
    right: `update ${kind}`,
    ask: (node) => ({ method: 'PUT', path: pathOf(node), body: bodyOf(node) }),
  };
}

function remove(account: string, kind: string, pathOf: (node: string) => string): NodeWrite {
  return { account, right: `delete ${kind}`, ask: (node) => ({ method: 'DELETE', path: pathOf(node) }) };
}

/** The Lease by which a program acts for a node, or tells that it is alive. */
function ownLease(account: string, path: string, nameOf: (node: string) => string): readonly NodeWrite[] {
  const spec = { holderIdentity: 'stolen' };
  return [
    make(account, 'leases', path, (node) => leaseOf(nameOf(node))),
    {
      account,
      right: 'update leases',
      ask: (node) => ({ method: 'PUT', path: `${path}/${nameOf(node)}`, body: { spec } }),
    },
  ];
}
