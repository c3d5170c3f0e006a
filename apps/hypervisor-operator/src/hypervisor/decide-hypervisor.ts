import { MaintenanceMode, type Hypervisor, type HypervisorSpec } from '@smalt/fleet-api';
import type { Draft, Fields } from '@smalt/kube';

import type { ClusterNode } from '../nodes/cluster-node.ts';
import { isNodeTerminating } from '../nodes/is-node-terminating.ts';
import { nodeOwnerReference } from '../nodes/node-owner-reference.ts';
import { FROM_NODE_ANNOTATION, printFromNode, readFromNode } from './from-node.ts';
import type { HypervisorSettings } from './hypervisor-settings.ts';
import { nodeWishes, type NodeWishes } from './node-wishes.ts';

// Not imported: an import of the module runs all its getters, which load worker threads.
const { isDeepStrictEqual } = process.getBuiltinModule('node:util');

type DecisionSettings = Pick<HypervisorSettings, 'newHypervisor' | 'transferLabels'>;

/** The hypervisor of a node that has none yet. */
export function newHypervisor(node: ClusterNode, settings: DecisionSettings): Draft<Hypervisor> {
  const wishes = nodeWishes(node, settings.transferLabels);
  return {
    metadata: {
      name: node.metadata.name,
      labels: wishes.labels,
      annotations: { [FROM_NODE_ANNOTATION]: printFromNode(wishes) },
      ownerReferences: [{ ...nodeOwnerReference(node), blockOwnerDeletion: true }],
    },
    spec: {
      aggregates: [],
      allowedProjects: [],
      customTraits: [],
      ...settings.newHypervisor,
      ...wishes.spec,
      ...(isNodeTerminating(node) && { maintenance: MaintenanceMode.termination }),
    },
  };
}

/** What to change of a hypervisor so that it is as its node says, as a merge patch; undefined when it is so. */
export function decideHypervisorChange(
  node: ClusterNode,
  hypervisor: Hypervisor,
  { transferLabels }: DecisionSettings,
): Fields | undefined {
  const wishes = nodeWishes(node, transferLabels);
  const isFrozen = hypervisor.spec?.maintenance === MaintenanceMode.termination;
  const spec = isFrozen ? {} : changedSpec(hypervisor, wishes);
  const labels = changedLabels(hypervisor, wishes, transferLabels);
  const annotations = changedNote(hypervisor, isFrozen ? withoutForgetting(hypervisor, wishes) : wishes);
  const metadata = { ...(!isEmpty(labels) && { labels }), ...(!isEmpty(annotations) && { annotations }) };
  if (isEmpty(spec) && isEmpty(metadata)) return undefined;
  const { resourceVersion } = hypervisor.metadata;
  return { metadata: { ...metadata, resourceVersion }, ...(!isEmpty(spec) && { spec }) };
}

function changedSpec(hypervisor: Hypervisor, { spec }: NodeWishes): Partial<HypervisorSpec> {
  const emptied = [...readFromNode(hypervisor).fields].map((field) => [field, []]);
  const wanted = { ...Object.fromEntries(emptied), ...spec };
  const current: Fields = { ...hypervisor.spec };
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !isDeepStrictEqual(current[name], value)));
}

function changedLabels(
  hypervisor: Hypervisor,
  { labels }: NodeWishes,
  transferLabels: readonly string[],
): Record<string, string | null> {
  const current = hypervisor.metadata.labels ?? {};
  const known = readFromNode(hypervisor).labels;
  const changes: Record<string, string | null> = {};
  for (const key of transferLabels) {
    const value = labels[key];
    if (value !== undefined && value !== current[key]) changes[key] = value;
    if (value === undefined && known.has(key) && current[key] !== undefined) changes[key] = null;
  }
  return changes;
}

function changedNote(hypervisor: Hypervisor, wishes: NodeWishes): Record<string, string> {
  const note = printFromNode(wishes);
  const current = hypervisor.metadata.annotations?.[FROM_NODE_ANNOTATION];
  // Who never had anything from a node needs no note of it.
  return note === (current ?? '') ? {} : { [FROM_NODE_ANNOTATION]: note };
}

/** A frozen spec keeps what it has, so it is as much from the node as it was. */
function withoutForgetting(hypervisor: Hypervisor, { labels }: NodeWishes): NodeWishes {
  const fields = [...readFromNode(hypervisor).fields].map((field) => [field, []]);
  return { labels, spec: Object.fromEntries(fields) };
}

function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}
