import type { ComputeHost } from '@smalt/compute';
import type { Node } from '@smalt/placement';
import { WellKnownName } from '@smalt/vm-api';
import { fenceProofOf, isStillOff, seenNode } from '@smalt/vm-lifecycle';

import { ObjectName } from '../object-names.ts';

/** Whether a node is a host of virtual machines: its handler has been heard of at some time. */
export function isHost({ metadata }: Node): boolean {
  return metadata.annotations?.[WellKnownName.heartbeatAnnotation] !== undefined;
}

/** What a Node says of the host that it is. Whoever does not ask for more than whether it is up needs no `isUnwatched`. */
export function readHost(
  node: Node,
  isHeard: (node: Node) => boolean,
  isUnwatched?: (node: Node) => boolean,
): ComputeHost {
  const { name, uid = '', labels = {}, annotations = {} } = node.metadata;
  // A note that the host has outlived says nothing: who took it for one that holds would write none when it dies again.
  const isForcedDown = isDeclaredDead(node);
  const isEnabled = node.spec?.unschedulable !== true;
  const isUp = isHeard(node) && !isForcedDown;
  return {
    hypervisorId: uid,
    serviceId: name,
    name,
    isEnabled,
    disabledReason: isEnabled ? undefined : annotations[ObjectName.disabledReasonAnnotation],
    isForcedDown,
    isUp,
    ...(isUp && isUnwatched?.(node) === true && { isUnwatched: true }),
    lifeSign: lifeSignOf(node),
    zone: labels[ObjectName.zoneLabel],
  };
}

/** The boot and the heartbeat that a node shows: what a fence note names. */
export function lifeSignOf({ metadata, status }: Node): string {
  const heartbeat = metadata.annotations?.[WellKnownName.heartbeatAnnotation] ?? '';
  return `${status?.nodeInfo?.bootID ?? ''} ${heartbeat}`;
}

/** Whether the node was declared dead, and has not been heard of since. */
export function isDeclaredDead(node: Node): boolean {
  const proof = fenceProofOf(node);
  return proof !== undefined && isStillOff(proof, seenNode(node));
}
