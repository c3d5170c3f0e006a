import {
  VirtualMachineInstanceConditionReason as Reason,
  VirtualMachineInstanceConditionType as Type,
  type VirtualMachineInstance,
} from '@smalt/vm-api';

import type { SyncFacts } from './sync-facts.ts';

/** Whether a guest has to shut down: its instance is deleted, or the pod that carries it is. What was begun goes on. */
export function isToEnd(facts: Pick<SyncFacts, 'instance' | 'nodeName' | 'shuttingDownMs'>): boolean {
  const { instance, nodeName, shuttingDownMs } = facts;
  const isDeleted = instance.metadata.deletionTimestamp !== undefined;
  return isDeleted || shuttingDownMs !== undefined || isPodLeaving(instance, nodeName);
}

/** The controller, who sees the pods, says it; of a guest that has come here it may still say it of the pod that it left. */
function isPodLeaving({ status }: VirtualMachineInstance, nodeName: string): boolean {
  const ready = status?.conditions?.find(({ type }) => type === Type.ready);
  if (ready?.status !== 'False' || ready.reason !== Reason.Ready.podTerminating) return false;
  const { completed, failed, targetNode, endTimestamp } = status?.migrationState ?? {};
  const hasCome = completed === true && failed !== true && targetNode === nodeName;
  return !hasCome || timeOf(ready.lastTransitionTime) > timeOf(endTimestamp);
}

function timeOf(text: string | null | undefined): number {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? 0 : time;
}
