import type { JsonObject } from '@smalt/json';
import type { Column } from '@smalt/resource';

import { isTrueAt, itemsAt, objectAt, textAt } from '../read-path.ts';
import { ageColumn } from './age-column.ts';
import { column, wideColumn } from './make-column.ts';

const ROLE_PREFIX = 'node-role.kubernetes.io/';
const ROLE_LABEL = 'kubernetes.io/role';

export const nodeColumns: readonly Column[] = [
  column('Status', 'Whether the node can run pods.', nodeStatus),
  column('Roles', 'What the node is for.', nodeRoles),
  ageColumn,
  column('Version', 'The version of its kubelet.', (node) => textAt(node, 'status', 'nodeInfo', 'kubeletVersion')),
  wideColumn('Internal-IP', 'Its address inside the cluster.', (node) => addressOf(node, 'InternalIP')),
  wideColumn('External-IP', 'Its address for others.', (node) => addressOf(node, 'ExternalIP')),
  wideColumn('OS-Image', 'Its operating system.', (node) => infoOf(node, 'osImage')),
  wideColumn('Kernel-Version', 'Its kernel.', (node) => {
    const architecture = textAt(node, 'status', 'nodeInfo', 'architecture');
    return `${infoOf(node, 'kernelVersion')}${architecture === '' ? '' : ` (${architecture})`}`;
  }),
  wideColumn('Container-Runtime', 'What runs its containers.', (node) => infoOf(node, 'containerRuntimeVersion')),
];

function nodeStatus(node: JsonObject): string {
  const ready = itemsAt(node, 'status', 'conditions').findLast((condition) => textAt(condition, 'type') === 'Ready');
  const isReady = ready !== undefined && textAt(ready, 'status') === 'True';
  const word = ready === undefined ? 'Unknown' : `${isReady ? '' : 'Not'}Ready`;
  return isTrueAt(node, 'spec', 'unschedulable') ? `${word},SchedulingDisabled` : word;
}

function nodeRoles(node: JsonObject): string {
  const roles = Object.entries(objectAt(node, 'metadata', 'labels')).flatMap(([key, value]) => {
    if (key.startsWith(ROLE_PREFIX)) return key.length > ROLE_PREFIX.length ? [key.slice(ROLE_PREFIX.length)] : [];
    return key === ROLE_LABEL && typeof value === 'string' && value !== '' ? [value] : [];
  });
  return [...new Set(roles)].toSorted().join(',') || '<none>';
}

function addressOf(node: JsonObject, type: string): string {
  const address = itemsAt(node, 'status', 'addresses').find((candidate) => textAt(candidate, 'type') === type);
  return address === undefined ? '<none>' : textAt(address, 'address');
}

function infoOf(node: JsonObject, name: string): string {
  return textAt(node, 'status', 'nodeInfo', name) || '<unknown>';
}
