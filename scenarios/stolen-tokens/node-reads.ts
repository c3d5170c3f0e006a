/** A right to read what is about other nodes as well, and why it is there. */
export interface NodeRead {
  /** Such as `smalt-node-agent list nodes`. */
  readonly right: string;
  readonly reason: string;
}

const PUBLIC = 'what it tells is no secret: how hosts, nodes and switches are, and what moves between them';
const LEASES = 'who acts for a node at the moment, which is no secret';
const INSTANCES = 'a role cannot say which are those of its node; cloud-init that stands in a spec is among it';
const PODS = 'a role cannot say which are those of its node; what is secret is in Secrets';
const LIBVIRT_KEYS = 'a role cannot say whose Secret it is: with one of these keys the libvirt of any node obeys';
const MOUNTED = 'it mounts what pods of its node name, as a kubelet does; a role cannot say which pods those are';
const VOLUMES = 'which claims and volumes there are, and for whom; not what is in them';

/** Whatever programs of a node may read, of that node and of all others: no policy is asked about it. */
export const READS: readonly NodeRead[] = [
  ...reads('smalt-node-agent', 'list watch', 'hypervisors nodes', PUBLIC),
  ...reads('smalt-node-agent', 'get', 'evictions', PUBLIC),
  ...reads('smalt-node-agent', 'get list', 'migrations', PUBLIC),
  ...reads('smalt-node-agent', 'get', 'leases', LEASES),
  ...reads('smalt-node-agent', 'list watch', 'secrets', LIBVIRT_KEYS),
  ...reads('smalt-virt-handler', 'get list watch', 'virtualmachineinstances', INSTANCES),
  ...reads('smalt-virt-handler', 'list watch', 'pods', PODS),
  ...reads('smalt-virt-handler', 'get', 'nodes', PUBLIC),
  ...reads('smalt-virt-handler', 'get', 'leases', LEASES),
  ...reads('smalt-ovs-agent', 'list watch', 'ovsnodes nodes', PUBLIC),
  ...reads('smalt-ovs-agent', 'get', 'leases', LEASES),
  ...reads('smalt-pod-runner', 'list watch', 'nodes', PUBLIC),
  ...reads('smalt-pod-runner', 'get', 'namespaces', PUBLIC),
  ...reads('smalt-pod-runner', 'get list watch', 'pods', PODS),
  ...reads('smalt-pod-runner', 'get', 'configmaps secrets', MOUNTED),
  ...reads('smalt-pod-runner', 'get list watch', 'persistentvolumeclaims persistentvolumes', VOLUMES),
];

function reads(account: string, verbs: string, kinds: string, reason: string): readonly NodeRead[] {
  return kinds
    .split(' ')
    .flatMap((kind) => verbs.split(' ').map((verb) => ({ right: `${account} ${verb} ${kind}`, reason })));
}
