import type { Node } from '../node.ts';
import type { Labels } from '../pod.ts';
import { readAmounts, type Amounts } from '../resources/amounts.ts';

/** A node, read once, with what its pods take. */
export interface NodeEntry {
  readonly name: string;
  readonly node: Node;
  readonly labels: Labels;
  readonly allocatable: Amounts;
  /** What the pods on it take, by resource. */
  readonly used: Amounts;
}

/** Reads a node. Throws a PlacementError that names the field. */
export function readNodeEntry(node: Node, used: Amounts): NodeEntry {
  const allocatable = readAmounts(node.status?.allocatable, `node ${node.metadata.name}: status.allocatable`);
  return { name: node.metadata.name, node, labels: node.metadata.labels ?? {}, allocatable, used };
}
