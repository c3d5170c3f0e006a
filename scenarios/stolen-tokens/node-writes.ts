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

export interface NodeAsk {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: Body;
  readonly contentType?: string;
}

/** A right to write that has nothing to do with one node, and why. */
export interface OtherWrite {
  readonly right: string;
  readonly reason: string;
}

const LABELS = { metadata: { labels: { stolen: 'yes' } } };
/** Of each sort that a virt-handler writes. */
const HANDLER_NOTES = {
  metadata: {
    annotations: {
      'kubevirt.io/heartbeat': '2026-01-01T00:00:00Z',
      'smalt.dev/virt-handler-ca': 'stolen',
      'smalt.dev/virt-handler-url': 'https://192.0.2.1:8186',
    },
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
  // One that is there already when an agent registers its host.
  patch('smalt-node-agent', 'hypervisors', hypervisorPath, { spec: {} }),
  patch('smalt-node-agent', 'hypervisors/status', (node) => `${hypervisorPath(node)}/status`, {
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
  patch('smalt-virt-handler', 'nodes', nodePath, HANDLER_NOTES),
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

export function hypervisorPath(node: string): string {
  return `${PATHS.hypervisors}/${node}`;
}

export function nodePath(node: string): string {
  return `${PATHS.nodes}/${node}`;
}

export function migrationPath(node: string): string {
  return `${PATHS.migrations}/${migrationName(node)}`;
}

export function condition(type: string, message: string): Body {
  return { type, status: 'True', reason: 'Succeeded', message, lastTransitionTime: '2026-01-01T00:00:00Z' };
}

export function make(account: string, kind: string, path: string, bodyOf: (node: string) => Body): NodeWrite {
  return { account, right: `create ${kind}`, ask: (node) => ({ method: 'POST', path, body: bodyOf(node) }) };
}

export function patch(account: string, kind: string, pathOf: (node: string) => string, body: Body): NodeWrite {
  const contentType = 'application/merge-patch+json';
  return {
    account,
    right: `patch ${kind}`,
    ask: (node) => ({ method: 'PATCH', path: pathOf(node), body, contentType }),
  };
}

export function replace(
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
