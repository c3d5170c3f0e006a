import { mappedSource, type ControllerSource, type Informer, type ObjectChange } from '@smalt/controller-runtime';
import { OVSNodeConditionType, type OVSNode } from '@smalt/ovs-api';

const BY_NODE = 'ready-by-node';

/** Finds what is told of Open vSwitch on a node, and knows the nodes for which that has changed. */
export class NetworkReader {
  readonly source: ControllerSource;
  readonly #ovsNodes: Informer<OVSNode>;

  constructor(ovsNodes: Informer<OVSNode>) {
    this.#ovsNodes = ovsNodes;
    this.source = mappedSource(ovsNodes, concernedNodes);
    ovsNodes.addIndex(BY_NODE, (ovsNode) => [nodeOf(ovsNode)]);
  }

  /** What is told of Open vSwitch on a node. Of several accounts one that tells of trouble counts. */
  on(node: string): OVSNode | undefined {
    const accounts = this.#ovsNodes.cache.byIndex(BY_NODE, node);
    return accounts.find(isUnhealthy) ?? accounts[0];
  }
}

// Counters of packets change all the time, and nobody's readiness with them.
function concernedNodes({ old, current }: ObjectChange<OVSNode>): readonly string[] {
  const isSame =
    old !== undefined &&
    current !== undefined &&
    old.spec === current.spec &&
    old.status?.conditions === current.status?.conditions &&
    old.status?.issues === current.status?.issues;
  if (isSame) return [];
  return [...new Set([old, current].filter((ovsNode) => ovsNode !== undefined).map(nodeOf))];
}

function nodeOf({ metadata, spec }: OVSNode): string {
  return spec.nodeRef.name === '' ? metadata.name : spec.nodeRef.name;
}

function isUnhealthy({ status }: OVSNode): boolean {
  return (
    status?.conditions?.some(({ type, status: is }) => type === OVSNodeConditionType.ready && is === 'False') ?? false
  );
}
