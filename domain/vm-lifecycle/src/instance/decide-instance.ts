import {
  isFinalPhase,
  VirtualMachineInstanceConditionType,
  VirtualMachineInstancePhase as Phase,
  WellKnownName,
  type VirtualMachineInstance,
  type VirtualMachineInstanceStatus,
} from '@smalt/vm-api';

import { decideAttachments } from '../attachment/decide-attachments.ts';
import { hasCondition, findCondition, timeText } from '../conditions/conditions.ts';
import { decidePhase, type PhaseFacts, type PhaseStep } from './decide-phase.ts';
import { judgeLoss } from './fence-proof.ts';
import { instanceConditions } from './instance-conditions.ts';
import type { InstanceAction, InstanceDecision, InstanceFacts } from './instance-facts.ts';
import { isHandled, planInstanceWrite } from './instance-write.ts';
import { isTargetPod, podState, UNPAUSED_GATE, type ObservedPod } from './launcher-pod-state.ts';
import { volumeStatuses } from './volume-statuses.ts';

/** Decides what happens next to an instance: its pods, its phase, its conditions and its finalizers. */
export function decideInstance(facts: InstanceFacts): InstanceDecision {
  const all: PhaseFacts = { ...facts, pod: currentPod(facts) };
  const step = decidePhase(all);
  const after = instanceAfter(all, step);
  return {
    actions: [...podActions(all, step), ...gateActions(all), ...decideAttachments(all)],
    write: planInstanceWrite(facts.vmi, after),
  };
}

/**
 * The pod that carries the instance: the one that its last migration has left it with, or else the newest that is no target
 * of a migration. A pod that once was a target keeps the label of it.
 */
export function currentPod({ vmi, pods }: Pick<InstanceFacts, 'vmi' | 'pods'>): ObservedPod | undefined {
  const { nodeName, migrationState } = vmi.status ?? {};
  const hasArrived = migrationState?.completed === true && migrationState.failed !== true;
  const carrier = pods.find(({ metadata, spec }) =>
    hasArrived
      ? metadata.name === migrationState.targetPod && spec.nodeName === nodeName
      : migrationState?.sourcePod !== undefined && metadata.name === migrationState.sourcePod,
  );
  if (carrier !== undefined) return carrier;
  const own = pods.filter((pod) => !isTargetPod(pod));
  return own.toSorted((left, right) => newer(left, right)).at(0);
}

function newer({ metadata: left }: ObservedPod, { metadata: right }: ObservedPod): number {
  return (right.creationTimestamp ?? '').localeCompare(left.creationTimestamp ?? '');
}

function podActions(facts: PhaseFacts, { phase }: PhaseStep): readonly InstanceAction[] {
  const { vmi, pods, pod } = facts;
  if (judgeLoss(facts) === 'proven' || isLeftOnLostNode(facts)) {
    return pods.map(({ metadata }) => ({ kind: 'delete-pod', ...nameOf(metadata), isForced: true }));
  }
  if (vmi.metadata.deletionTimestamp !== undefined || isFinalPhase(vmi.status?.phase)) {
    return pods
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => ({ kind: 'delete-pod', ...nameOf(metadata), isForced: false }));
  }
  if (phase === Phase.running) return leftOverPods(facts);
  return phase === Phase.pending && pod === undefined && isReadyToStart(facts) ? [{ kind: 'create-pod' }] : [];
}

/**
 * What the instance left behind when it was migrated. Targets are the business of their migration while it goes on; one that
 * carried the instance once, and was left in turn, is like any other.
 */
function leftOverPods({ pods, pod, hasActiveMigration }: PhaseFacts): readonly InstanceAction[] {
  return pods
    .filter((each) => each !== pod && podState(each) === 'ended' && !(isTargetPod(each) && hasActiveMigration))
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => ({ kind: 'delete-pod', ...nameOf(metadata), isForced: false }));
}

/** After the loss of a node its pods have no one who would let them go. */
function isLeftOnLostNode({ vmi, nodes }: PhaseFacts): boolean {
  const { phase, reason, nodeName } = vmi.status ?? {};
  const isLost = phase === Phase.failed && reason === 'NodeUnresponsive';
  return isLost && nodes.get(nodeName ?? '')?.kind !== 'alive';
}

function isReadyToStart({ storage, hasActiveMigration }: PhaseFacts): boolean {
  return storage.dataVolumes === 'ready' && storage.missingClaims.length === 0 && !hasActiveMigration;
}

function nameOf({ name, uid }: { readonly name: string; readonly uid?: string }): {
  readonly name: string;
  readonly uid: string | undefined;
} {
  return { name, uid };
}

/**
 * A guest that is paused takes no traffic: its pod is not ready then. A pod that is only starting is not ready anyway, and
 * whoever runs it may set the gate with its first status.
 */
function gateActions({ vmi, pod }: PhaseFacts): readonly InstanceAction[] {
  if (pod === undefined || podState(pod) !== 'ready') return [];
  const isPaused = hasCondition(vmi.status?.conditions, VirtualMachineInstanceConditionType.paused, 'True');
  const status = isPaused ? 'False' : 'True';
  if (findCondition(pod.status?.conditions, UNPAUSED_GATE)?.status === status) return [];
  return [{ kind: 'set-pod-condition', name: pod.metadata.name, type: UNPAUSED_GATE, status }];
}

function instanceAfter(facts: PhaseFacts, step: PhaseStep): VirtualMachineInstance {
  const { vmi, pod } = facts;
  const arrives = step.phase === Phase.scheduled && vmi.status?.phase === Phase.scheduling;
  const nodeName = arrives ? pod?.spec.nodeName : undefined;
  const labels =
    nodeName === undefined ? vmi.metadata.labels : { ...vmi.metadata.labels, [WellKnownName.nodeNameLabel]: nodeName };
  const finalizers = finalizersAfter(facts);
  const annotations = annotationsAfter(facts);
  return {
    ...vmi,
    metadata: {
      ...vmi.metadata,
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ...(finalizers === undefined ? {} : { finalizers }),
    },
    status: {
      ...statusAfter(facts, step),
      ...(nodeName === undefined ? {} : { nodeName, migrationTransport: 'Unix' }),
    },
  };
}

/** Names the pod that leaves beside the condition that says so: to a guest that has just moved on, that of its old pod means nothing. */
function annotationsAfter({ vmi, pod }: PhaseFacts): Readonly<Record<string, string>> | undefined {
  const { annotations } = vmi.metadata;
  const { uid, deletionTimestamp } = pod?.metadata ?? {};
  if (uid === undefined || deletionTimestamp === undefined || !isHandled(vmi)) return annotations;
  return { ...annotations, [WellKnownName.leavingPodAnnotation]: uid };
}

/** They go when the instance has ended and no pod of it is left: not earlier, for a new one may take its name then. */
function finalizersAfter({ vmi, pods, attachments = [], hasOwner }: PhaseFacts): readonly string[] | undefined {
  if (!isFinalPhase(vmi.status?.phase)) return withInstanceFinalizer(vmi);
  return vmi.metadata.finalizers?.filter((finalizer) => {
    if (finalizer === WellKnownName.instanceFinalizer) return pods.length + attachments.length > 0;
    return finalizer !== WellKnownName.virtualMachineFinalizer || hasOwner;
  });
}

/** Admission sets it; an instance that came past admission gets it with the first write, before anything runs. */
function withInstanceFinalizer({ metadata, status }: VirtualMachineInstance): readonly string[] | undefined {
  const { finalizers = [], deletionTimestamp } = metadata;
  const isBegun = ![Phase.unset, Phase.pending, Phase.scheduling].some((phase) => phase === (status?.phase ?? ''));
  const isSet = finalizers.includes(WellKnownName.instanceFinalizer);
  // The API takes no new finalizers on what is being deleted.
  if (isSet || isBegun || deletionTimestamp !== undefined) return metadata.finalizers;
  return [...finalizers, WellKnownName.instanceFinalizer];
}

function statusAfter(facts: PhaseFacts, { phase, reason }: PhaseStep): VirtualMachineInstanceStatus {
  const { vmi, pod, pods, now } = facts;
  const before = vmi.status ?? {};
  if (isFinalPhase(before.phase)) return { ...before, activePods: activePods(pods) };
  const isNew = phase !== before.phase;
  const times = before.phaseTransitionTimestamps ?? [];
  const image = imageOf(pod);
  const isPlaced = phase === Phase.scheduled || phase === Phase.running;
  return {
    ...before,
    phase,
    ...(reason === undefined ? {} : { reason }),
    ...(isNew ? { phaseTransitionTimestamps: [...times, { phase, phaseTransitionTimestamp: timeText(now) }] } : {}),
    conditions: instanceConditions(facts, phase),
    activePods: isNew || phase !== Phase.scheduling ? activePods(pods) : (before.activePods ?? activePods(pods)),
    ...(isPlaced ? { volumeStatus: volumeStatuses(facts) } : {}),
    ...(pod?.status?.qosClass === undefined ? {} : { qosClass: pod.status.qosClass }),
    ...(image === undefined ? {} : { launcherContainerImageVersion: image }),
  };
}

/** The nodes of the pods that still may carry it, by the uid of the pod. */
function activePods(pods: readonly ObservedPod[]): Readonly<Record<string, string>> {
  const active = pods.filter((pod) => podState(pod) !== 'ended' && !isUnplacedTarget(pod));
  return Object.fromEntries(active.map(({ metadata, spec }) => [metadata.uid ?? '', spec.nodeName ?? '']));
}

/** Concerns no handler: to tell of it would be a write, and a pass of every handler of the instance, for nothing. */
function isUnplacedTarget({ metadata, spec }: ObservedPod): boolean {
  return metadata.labels?.[WellKnownName.migrationJobLabel] !== undefined && spec.nodeName === undefined;
}

function imageOf(pod: ObservedPod | undefined): string | undefined {
  const compute = pod?.spec.containers.find(({ name }) => name === 'compute');
  return compute !== undefined && 'image' in compute && typeof compute.image === 'string' ? compute.image : undefined;
}
