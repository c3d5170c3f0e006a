import type { Node } from '@smalt/placement';

import { fenceProofOf, isStillOff, seenNode, type NodeBoot } from './fence-note.ts';

/** After how long without a heartbeat the handler of a node counts as silent. */
export const HEARTBEAT_TIMEOUT_MS: number = 5 * 60_000;

/** Whether the handler of a node can be trusted to look after its instances. */
export type NodeHealth =
  | { readonly kind: 'alive'; readonly lastHeartbeat: number; readonly boot?: NodeBoot }
  | { readonly kind: 'silent'; readonly lastHeartbeat: number | undefined; readonly boot?: NodeBoot };

/**
 * Judges a node by the last heartbeat of its handler. A node that does not exist, or never had one, is silent, and so is
 * one that was proved to be off since.
 */
export function judgeHeartbeat(
  node: Node | undefined,
  now: number,
  timeoutMs: number = HEARTBEAT_TIMEOUT_MS,
): NodeHealth {
  const seen = seenNode(node);
  const { lastHeartbeat } = seen;
  const proof = fenceProofOf(node);
  // Until the heartbeat is old enough takes minutes, in which nothing could start elsewhere, and new instances could come.
  const isOff = proof !== undefined && isStillOff(proof, seen);
  const isOverdue = lastHeartbeat === undefined || now - lastHeartbeat > timeoutMs;
  return isOff || isOverdue ? { kind: 'silent', ...seen } : { kind: 'alive', ...seen, lastHeartbeat };
}
