import type { Node } from '@smalt/placement';
import { WellKnownName } from '@smalt/vm-api';

import { readTime } from '../conditions/conditions.ts';

/** One boot of a node and the last heartbeat of its handler, in the very words of the Node. */
export interface NodeBoot {
  readonly id: string;
  readonly heartbeat: string;
}

/** The HA service's word that a node was without power at some moment. */
export interface FenceProof {
  readonly nodeName: string;
  /** Milliseconds since 1970. */
  readonly offAt: number;
  /** What the power cut has ended. Only a proof about a node whose boot is not known goes without. */
  readonly boot?: NodeBoot;
}

/** What a proof is held against. */
export interface SeenNode {
  /** Milliseconds since 1970. */
  readonly lastHeartbeat: number | undefined;
  readonly boot?: NodeBoot;
}

const { fencedAtAnnotation, fencedBootAnnotation, fencedHeartbeatAnnotation, heartbeatAnnotation } = WellKnownName;

/** What a Node shows of itself, as far as it speaks for or against a proof. */
export function seenNode(node: Node | undefined): SeenNode {
  const heartbeat = node?.metadata.annotations?.[heartbeatAnnotation];
  const id = node?.status?.nodeInfo?.bootID ?? '';
  return {
    lastHeartbeat: readTime(heartbeat),
    ...(id === '' ? {} : { boot: { id, heartbeat: heartbeat ?? '' } }),
  };
}

/** The proof that is noted on a Node, whether it still holds or not. */
export function fenceProofOf(node: Node | undefined): FenceProof | undefined {
  const { annotations = {}, name = '' } = node?.metadata ?? {};
  const offAt = readTime(annotations[fencedAtAnnotation]);
  if (offAt === undefined) return undefined;
  const id = annotations[fencedBootAnnotation] ?? '';
  const heartbeat = annotations[fencedHeartbeatAnnotation] ?? '';
  return { nodeName: name, offAt, ...(id === '' ? {} : { boot: { id, heartbeat } }) };
}

/** The annotations by which a node is declared dead: they name the boot and the heartbeat that are over with it. */
export function fenceNote(node: Node, now: number): Readonly<Record<string, string | null>> {
  const { boot } = seenNode(node);
  return {
    [fencedAtAnnotation]: new Date(now).toISOString(),
    [fencedBootAnnotation]: boot?.id ?? null,
    [fencedHeartbeatAnnotation]: boot?.heartbeat ?? null,
  };
}

/** The annotations by which that is taken back. */
export function noFenceNote(): Readonly<Record<string, null>> {
  return { [fencedAtAnnotation]: null, [fencedBootAnnotation]: null, [fencedHeartbeatAnnotation]: null };
}

/**
 * Whether nothing was heard of a node since the proof. The clocks of those who write differ, so that they are compared only
 * where no boot is known: else the node must still show the very boot and heartbeat that the proof names.
 */
export function isStillOff({ offAt, boot }: FenceProof, seen: SeenNode): boolean {
  if (boot === undefined && seen.boot === undefined) return offAt > (seen.lastHeartbeat ?? Number.NEGATIVE_INFINITY);
  return boot !== undefined && boot.id === seen.boot?.id && boot.heartbeat === seen.boot.heartbeat;
}

/** Whether a Node is noted to be off, and what was there at that moment (milliseconds since 1970) is over with it. */
export function isProvenOff(node: Node | undefined, since: number): boolean {
  const proof = fenceProofOf(node);
  if (proof === undefined || !isStillOff(proof, seenNode(node))) return false;
  return proof.boot !== undefined || proof.offAt > since;
}
