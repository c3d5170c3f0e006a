import type { Hypervisor } from '@smalt/fleet-api';

import type { NodeWishes } from './node-wishes.ts';

/** Where a hypervisor remembers which of its labels and fields came from its node. */
export const FROM_NODE_ANNOTATION = 'kvm.cloud.sap/from-node';

/** Lists of a spec that go back to empty when their node does not ask for them any more. */
const LIST_FIELDS = ['aggregates', 'customTraits'] as const;
type ListField = (typeof LIST_FIELDS)[number];

/** What came from a node earlier. Without a note of it nothing did, so nothing that others wrote is taken away. */
export interface FromNode {
  readonly fields: ReadonlySet<ListField>;
  readonly labels: ReadonlySet<string>;
}

export function readFromNode({ metadata }: Pick<Hypervisor, 'metadata'>): FromNode {
  const words = (metadata.annotations?.[FROM_NODE_ANNOTATION] ?? '').split(',');
  return {
    fields: new Set(LIST_FIELDS.filter((field) => words.includes(`spec.${field}`))),
    labels: new Set(words.filter((word) => word !== '' && !word.startsWith('spec.'))),
  };
}

/** The note about what comes from a node now. */
export function printFromNode({ labels, spec }: NodeWishes): string {
  const fields = LIST_FIELDS.filter((field) => spec[field] !== undefined).map((field) => `spec.${field}`);
  return [...fields, ...Object.keys(labels).toSorted()].join(',');
}
