import type { NodeSelector, NodeSelectorRequirement, NodeSelectorTerm } from '@smalt/vm-api';

import type { Node } from '../node.ts';
import type { Labels, PodSpec } from '../pod.ts';

/** Whether a node is what the selector and the required node affinity of a pod ask for. */
export function matchesNode({ nodeSelector, affinity }: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  const hasLabels = Object.entries(nodeSelector ?? {}).every(([key, value]) => labelOf(labels, key) === value);
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return hasLabels && (required === undefined || matchesSelector(required, node));
}

/** Whether one of the terms of a selector holds for a node. */
export function matchesSelector({ nodeSelectorTerms }: NodeSelector, node: Node): boolean {
  return nodeSelectorTerms.some((term) => matchesTerm(term, node));
}

/** Whether all requirements of a term hold for a node. A term without any matches no node. */
export function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, node: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  const labels = node.metadata.labels ?? {};
  const fields = { 'metadata.name': node.metadata.name };
  return (
    matchExpressions.every((requirement) => meets(requirement, labelOf(labels, requirement.key))) &&
    matchFields.every((requirement) => meets(requirement, labelOf(fields, requirement.key)))
  );
}

/** The value of a label, whatever it is called. */
export function labelOf(labels: Labels, key: string): string | undefined {
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

function meets({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
    case 'Lt':
      return isBeyond(operator, value, values[0]);
    default:
      // The API refuses others; should one come all the same, no node is surely the right one.
      return false;
  }
}

const INTEGER = /^[+-]?\d{1,19}$/;

function isBeyond(operator: 'Gt' | 'Lt', value: string | undefined, bound: string | undefined): boolean {
  if (value === undefined || bound === undefined || !INTEGER.test(value) || !INTEGER.test(bound)) return false;
  return operator === 'Gt' ? BigInt(value) > BigInt(bound) : BigInt(value) < BigInt(bound);
}
