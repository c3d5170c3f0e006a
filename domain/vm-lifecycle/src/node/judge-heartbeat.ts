import type { Node } from '@smalt/placement';
import { WellKnownName } from '@smalt/vm-api';

import { readTime } from '../conditions/conditions.ts';

/** After how long without a heartbeat the handler of a node counts as silent. */
export const HEARTBEAT_TIMEOUT_MS: number = 5 * 60_000;

/** Whether the handler of a node can be trusted to look after its instances. */
export type NodeHealth =
  | { readonly kind: 'alive'; readonly lastHeartbeat: number }
  | { readonly kind: 'silent'; readonly lastHeartbeat: number | undefined };

/**
 * Judges a node by the last heartbeat of its handler. A node that does not exist, or never had one, is silent, and so is
 * one that was proved to be off since.
 */
export function judgeHeartbeat(
  node: Node | undefined,
  now: number,
  timeoutMs: number = HEARTBEAT_TIMEOUT_MS,
): NodeHealth {
  const lastHeartbeat = readTime(node?.metadata.annotations?.[WellKnownName.heartbeatAnnotation]);
  const fencedAt = readTime(node?.metadata.annotations?.[WellKnownName.fencedAtAnnotation]);
  // Until the heartbeat is old enough takes minutes, in which nothing could start elsewhere, and new instances could come.
  if (lastHeartbeat !== undefined && fencedAt !== undefined && fencedAt > lastHeartbeat)
    return { kind: 'silent', lastHeartbeat };
  if (lastHeartbeat === undefined || now - lastHeartbeat > timeoutMs) return { kind: 'silent', lastHeartbeat };
  return { kind: 'alive', lastHeartbeat };
}
