import type { Node } from '@smalt/placement';

import { fenceProofOf, isStillOff, seenNode, type SeenNode } from './fence-note.ts';

/** After how long without a heartbeat the handler of a node counts as silent. */
export const HEARTBEAT_TIMEOUT_MS: number = 5 * 60_000;

/** Whether the handler of a node can be trusted to look after its instances. */
export type NodeHealth =
  | (SeenNode & {
      readonly kind: 'alive';
      /** After how long it would be silent, if nothing were heard of it. */
      readonly silentInMs: number;
    })
  | (SeenNode & { readonly kind: 'silent' });

/** What a heartbeat is judged by. Both times are of the same steady clock, that of whoever judges. */
export interface Listening {
  /** When the heartbeat that the node shows was first seen: see `HeartbeatSightings`. */
  readonly heardAt: number | undefined;
  readonly now: number;
  readonly timeoutMs?: number | undefined;
}

/**
 * Judges a node by when its handler was last heard of. A node that does not exist, or never had a heartbeat, is silent, and so is
 * one that was proved to be off since.
 */
export function judgeHeartbeat(
  node: Node | undefined,
  { heardAt, now, timeoutMs = HEARTBEAT_TIMEOUT_MS }: Listening,
): NodeHealth {
  const seen = seenNode(node);
  const proof = fenceProofOf(node);
  // Until the heartbeat is old enough takes minutes, in which nothing could start elsewhere, and new instances could come.
  const isOff = proof !== undefined && isStillOff(proof, seen);
  if (isOff || heardAt === undefined || seen.lastHeartbeat === undefined) return { kind: 'silent', ...seen };
  const silentInMs = heardAt + timeoutMs - now + 1;
  return silentInMs <= 0 ? { kind: 'silent', ...seen } : { kind: 'alive', ...seen, silentInMs };
}
