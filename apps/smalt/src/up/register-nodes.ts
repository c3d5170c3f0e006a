import type { KubeClient } from '@smalt/kube';
import type { KindReference } from '@smalt/kubernetes';

const MANAGER = 'smalt-up';

const nodeKind: KindReference = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', isNamespaced: false };

/** The availability zone of hosts on this machine. */
export const LOCAL_ZONE = 'local';

/** By these the operator takes a node for a hypervisor whose life it owns. Its first test is that of its first machine. */
const LABELS = {
  'nova.openstack.cloud.sap/virt-driver': 'smalt',
  'cobaltcore.cloud.sap/node-hypervisor-lifecycle': 'skip-tests',
  'topology.kubernetes.io/zone': LOCAL_ZONE,
};

/** Makes the Nodes of hosts before their agents begin: tokens are bound to them. What else they say is up to those agents. */
export async function registerNodes(client: KubeClient, names: readonly string[], signal: AbortSignal): Promise<void> {
  const nodes = client.resource(nodeKind);
  const options = { fieldManager: MANAGER, force: true, signal };
  await Promise.all(names.map((name) => nodes.apply(name, { metadata: { labels: LABELS } }, options)));
}
