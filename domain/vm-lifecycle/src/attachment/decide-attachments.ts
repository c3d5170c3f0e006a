import { isFinalPhase, VirtualMachineInstancePhase as Phase } from '@smalt/vm-api';

import type { InstanceAction, InstanceFacts } from '../instance/instance-facts.ts';
import { podState, type ObservedPod } from '../instance/launcher-pod-state.ts';
import { isElsewhere, isFitting, isHeld } from './attachment-fit.ts';
import { attachedVolumeOf } from './build-attachment-pod.ts';
import { pluggedClaims } from './plugged-claims.ts';

type AttachmentFacts = Pick<InstanceFacts, 'vmi' | 'attachments' | 'storage' | 'hasActiveMigration' | 'nodes'>;

/**
 * Decides which claims are brought to the node of an instance, and which are let go. A claim stays as long as the status names
 * its pod or volume: the handler takes it out of there once the guest has let go. One that a guest has left by a migration goes.
 */
export function decideAttachments(facts: AttachmentFacts): readonly InstanceAction[] {
  const { vmi, attachments = [] } = facts;
  if (isFinalPhase(vmi.status?.phase)) return attachments.flatMap((pod) => deletion(pod, isOnLostNode(facts)));
  const useless = attachments.filter((pod) => {
    const isLeft = isElsewhere(vmi, pod) && !facts.hasActiveMigration;
    return podState(pod) === 'ended' || isLeft || !(isFitting(vmi, pod) || isHeld(vmi, pod));
  });
  return [...useless.flatMap((pod) => deletion(pod, false)), ...creations(facts)];
}

function creations({ vmi, attachments = [], storage, hasActiveMigration }: AttachmentFacts): readonly InstanceAction[] {
  const { phase, nodeName = '' } = vmi.status ?? {};
  const isLeaving = vmi.metadata.deletionTimestamp !== undefined;
  if (phase !== Phase.running || nodeName === '' || isLeaving || hasActiveMigration) return [];
  const held = new Set(attachments.map((pod) => attachedVolumeOf(pod)));
  return pluggedClaims(vmi)
    .filter(({ volumeName }) => !held.has(volumeName) && storage.claims.has(volumeName))
    .map((claim) => ({ kind: 'create-attachment', ...claim }));
}

function deletion(pod: ObservedPod, isForced: boolean): readonly InstanceAction[] {
  const { name, uid, deletionTimestamp } = pod.metadata;
  if (deletionTimestamp !== undefined && !isForced) return [];
  return [{ kind: 'delete-pod', name, uid, isForced }];
}

/** Nobody is there who would let them go. */
function isOnLostNode({ vmi, nodes }: AttachmentFacts): boolean {
  const { reason, nodeName = '' } = vmi.status ?? {};
  return reason === 'NodeUnresponsive' && nodes.get(nodeName)?.kind !== 'alive';
}
