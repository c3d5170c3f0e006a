import {
  VirtualMachineInstanceConditionReason as Reason,
  VirtualMachineInstanceConditionType as Type,
  VirtualMachineInstancePhase as Phase,
} from '@smalt/vm-api';

import {
  findCondition,
  timeText,
  withCondition,
  withoutCondition,
  type Conditions,
  type ConditionValue,
  type StatusCondition,
} from '../conditions/conditions.ts';
import { hasItsResources, type PhaseFacts } from './decide-phase.ts';
import { judgeLoss } from './fence-proof.ts';
import { imageProblem, podState } from './launcher-pod-state.ts';

/** The conditions that the controller says; those of the handler stay as they are. */
export function instanceConditions(facts: PhaseFacts, phase: string): Conditions {
  const { vmi, now } = facts;
  let conditions: Conditions = withCondition(vmi.status?.conditions, readyOf(facts, phase), now);
  conditions = withScheduled(conditions, facts, phase);
  if (phase === Phase.pending && facts.storage.dataVolumes === 'pending') {
    conditions = withCondition(conditions, { type: Type.provisioning, status: 'True' }, now);
  } else {
    conditions = withoutCondition(conditions, Type.provisioning);
  }
  return withSynchronized(conditions, facts, phase);
}

function readyOf(facts: PhaseFacts, phase: string): ConditionValue {
  const { pod } = facts;
  const isOnNode = phase === Phase.running || phase === Phase.scheduled;
  if (isOnNode && judgeLoss(facts) === 'unproven') return notReady('NodeUnresponsive', silenceText(facts));
  if (pod === undefined || podState(pod) === 'ended') {
    return notReady(Reason.Ready.podNotExists, 'virt-launcher pod has not yet been scheduled');
  }
  if (pod.metadata.deletionTimestamp !== undefined) {
    return notReady(Reason.Ready.podTerminating, 'virt-launcher pod is terminating');
  }
  if (phase !== Phase.running) {
    return notReady(Reason.Ready.guestNotRunning, 'Guest VM is not reported as running');
  }
  const ready = findCondition(pod.status?.conditions, Type.ready);
  if (ready === undefined) {
    return notReady(Reason.Ready.podConditionMissing, 'virt-launcher pod is missing the Ready condition');
  }
  return { type: Type.ready, status: ready.status === 'True' ? 'True' : 'False', ...textOf(ready) };
}

function notReady(reason: string, message: string): ConditionValue {
  return { type: Type.ready, status: 'False', reason, message };
}

function silenceText({ vmi, nodes }: PhaseFacts): string {
  const name = vmi.status?.nodeName ?? '';
  const heard = nodes.get(name)?.lastHeartbeat;
  const since = heard === undefined ? 'at all' : `since ${timeText(heard)}`;
  return `node ${name} was not heard of ${since}; the guest may still run there, and is started elsewhere only when the node is known to be off`;
}

/** Why it is not placed; gone as soon as it is. */
function withScheduled(conditions: Conditions, { pod, storage, now }: PhaseFacts, phase: string): Conditions {
  const [claim] = storage.missingClaims;
  if (phase === Phase.pending && claim !== undefined) {
    const message = `failed to render launch manifest: PVC ${claim} not found; create it or change the volume`;
    return withCondition(
      conditions,
      { type: Type.podScheduled, status: 'False', reason: 'Unschedulable', message },
      now,
    );
  }
  const scheduled = findCondition(pod?.status?.conditions, Type.podScheduled);
  if (phase !== Phase.scheduling || scheduled?.status !== 'False')
    return withoutCondition(conditions, Type.podScheduled);
  return withCondition(conditions, { type: Type.podScheduled, status: 'False', ...textOf(scheduled) }, now);
}

/** Before the handler takes over, the controller says what keeps the instance from its domain. */
function withSynchronized(conditions: Conditions, facts: PhaseFacts, phase: string): Conditions {
  if (phase !== Phase.pending && phase !== Phase.scheduling) {
    // What it says afterwards is the handler's: to take it away would have the two write against each other for ever.
    const isHandedOver = phase === Phase.scheduled && facts.vmi.status?.phase !== Phase.scheduled;
    return isHandedOver ? withoutCondition(conditions, Type.synchronized) : conditions;
  }
  const problem = problemOf(facts);
  if (problem === undefined) return withoutCondition(conditions, Type.synchronized);
  return withCondition(conditions, { type: Type.synchronized, status: 'False', ...problem }, facts.now);
}

function problemOf(facts: PhaseFacts): { readonly reason: string; readonly message: string } | undefined {
  const { vmi, pod, storage, problem } = facts;
  const [claim] = storage.missingClaims;
  if (pod === undefined && claim !== undefined) {
    return { reason: 'FailedPvcNotFound', message: `failed to render launch manifest: PVC ${claim} not found` };
  }
  if (pod === undefined) return problem;
  if (podState(pod) === 'ready' && !hasItsResources(vmi.spec, pod)) {
    return { reason: 'FailedGuaranteeResources', message: 'failed to guarantee pod resources' };
  }
  return imageProblem(pod) ?? problem;
}

function textOf({ reason, message }: StatusCondition): { readonly reason?: string; readonly message?: string } {
  return { ...(reason === undefined ? {} : { reason }), ...(message === undefined ? {} : { message }) };
}
