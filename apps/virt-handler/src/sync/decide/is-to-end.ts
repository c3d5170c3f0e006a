import {
  VirtualMachineInstanceConditionReason as Reason,
  VirtualMachineInstanceConditionType as Type,
  WellKnownName,
} from '@smalt/vm-api';

import type { SyncFacts } from './sync-facts.ts';

type EndFacts = Pick<SyncFacts, 'instance' | 'nodeName' | 'podUid' | 'shuttingDownMs'>;

/** Whether a guest has to shut down: its instance is deleted, or the pod that carries it is. What was begun goes on. */
export function isToEnd(facts: EndFacts): boolean {
  const isDeleted = facts.instance.metadata.deletionTimestamp !== undefined;
  return isDeleted || facts.shuttingDownMs !== undefined || isPodLeaving(facts);
}

/**
 * The controller, who sees the pods, says it, and of which pod: of a guest that has come here it may still say it of the pod
 * that it left. Times would not tell, for they are of two clocks.
 */
function isPodLeaving({ instance: { metadata, status }, nodeName, podUid }: EndFacts): boolean {
  const ready = status?.conditions?.find(({ type }) => type === Type.ready);
  if (ready?.status !== 'False' || ready.reason !== Reason.Ready.podTerminating) return false;
  const leavingPod = metadata.annotations?.[WellKnownName.leavingPodAnnotation];
  if (leavingPod !== undefined && podUid !== undefined) return leavingPod === podUid;
  const { completed, failed, targetNode } = status?.migrationState ?? {};
  const hasCome = completed === true && failed !== true && targetNode === nodeName;
  return !hasCome;
}
