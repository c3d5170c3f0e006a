import { labelSelectorFrom, matchesLabels, printLabelSelector } from '@smalt/kubernetes';
import {
  isFinalPhase,
  ReplicaSetConditionType,
  VirtualMachineInstanceConditionType,
  type VirtualMachineInstance,
  type VirtualMachineInstanceReplicaSet,
  type VirtualMachineInstanceReplicaSetStatus,
} from '@smalt/vm-api';

import { hasCondition, withCondition, withoutCondition, type Conditions } from '../conditions/conditions.ts';
import { asJudged, type Judged } from '../judged/as-judged.ts';

/** How many are made or deleted at once. */
const BURST = 250;

export interface ReplicaSetFacts {
  readonly replicaSet: VirtualMachineInstanceReplicaSet;
  /** The instances that the set owns. */
  readonly instances: readonly VirtualMachineInstance[];
  readonly problem?: { readonly reason: string; readonly message: string };
  readonly now: number;
}

export type ReplicaSetAction =
  | { readonly kind: 'create-instance'; readonly instance: VirtualMachineInstance }
  | ({ readonly kind: 'delete-instance' } & Judged);

export interface ReplicaSetDecision {
  readonly actions: readonly ReplicaSetAction[];
  readonly status: VirtualMachineInstanceReplicaSetStatus;
}

/** Decides how many instances a set makes or deletes. One on a node that is silent still counts: it may well run. */
export function decideReplicaSet({ replicaSet, instances, problem, now }: ReplicaSetFacts): ReplicaSetDecision {
  const { metadata, spec } = replicaSet;
  const selector = labelSelectorFrom(spec.selector);
  const isOwn = matchesLabels(selector, spec.template.metadata?.labels);
  const mismatch = {
    reason: 'FailedCreate',
    message: `spec.selector does not match spec.template.metadata.labels; make them the same`,
  };
  const active = instances.filter(
    ({ metadata: each, status }) => each.deletionTimestamp === undefined && !isFinalPhase(status?.phase),
  );
  const isIdle = metadata.deletionTimestamp !== undefined || spec.paused === true || !isOwn;
  const actions = isIdle ? [] : [...finished(instances), ...scale(replicaSet, active)];
  const ready = active.filter(isReady);
  return {
    actions,
    status: {
      replicas: active.length,
      readyReplicas: ready.length,
      labelSelector: printLabelSelector(selector),
      conditions: conditionsOf(replicaSet, isOwn ? problem : mismatch, now),
    },
  };
}

function finished(instances: readonly VirtualMachineInstance[]): readonly ReplicaSetAction[] {
  return instances
    .filter(({ metadata, status }) => metadata.deletionTimestamp === undefined && isFinalPhase(status?.phase))
    .slice(0, BURST)
    .map(deletionOf);
}

function scale(
  replicaSet: VirtualMachineInstanceReplicaSet,
  active: readonly VirtualMachineInstance[],
): readonly ReplicaSetAction[] {
  const missing = Math.max(0, replicaSet.spec.replicas ?? 1) - active.length;
  if (missing > 0) {
    const create = { kind: 'create-instance', instance: replicaOf(replicaSet) } as const;
    return Array.from({ length: Math.min(missing, BURST) }, () => create);
  }
  return active.toSorted(byWorth).slice(0, Math.min(-missing, BURST)).map(deletionOf);
}

/** Those that serve no one go first, then the newest. */
function byWorth(left: VirtualMachineInstance, right: VirtualMachineInstance): number {
  const byReady = Number(isReady(left)) - Number(isReady(right));
  if (byReady !== 0) return byReady;
  const byAge = (right.metadata.creationTimestamp ?? '').localeCompare(left.metadata.creationTimestamp ?? '');
  return byAge === 0 ? left.metadata.name.localeCompare(right.metadata.name) : byAge;
}

function isReady({ status }: VirtualMachineInstance): boolean {
  return hasCondition(status?.conditions, VirtualMachineInstanceConditionType.ready, 'True');
}

function deletionOf({ metadata }: VirtualMachineInstance): ReplicaSetAction {
  return { kind: 'delete-instance', ...asJudged(metadata) };
}

function replicaOf({ apiVersion, kind, metadata, spec }: VirtualMachineInstanceReplicaSet): VirtualMachineInstance {
  const { labels, annotations } = spec.template.metadata ?? {};
  return {
    apiVersion: 'kubevirt.io/v1',
    kind: 'VirtualMachineInstance',
    metadata: {
      name: '',
      generateName: metadata.name,
      ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      ...(labels === undefined ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [
        { apiVersion, kind, name: metadata.name, uid: metadata.uid ?? '', controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: { domain: { devices: {} }, ...spec.template.spec },
  };
}

function conditionsOf(
  { spec, status }: VirtualMachineInstanceReplicaSet,
  problem: { readonly reason: string; readonly message: string } | undefined,
  now: number,
): Conditions {
  const { replicaFailure, replicaPaused } = ReplicaSetConditionType;
  const paused =
    spec.paused === true
      ? withCondition(
          status?.conditions,
          { type: replicaPaused, status: 'True', reason: 'Paused', message: 'Controller got paused' },
          now,
        )
      : withoutCondition(status?.conditions, replicaPaused);
  if (problem === undefined) return withoutCondition(paused, replicaFailure);
  return withCondition(paused, { type: replicaFailure, status: 'True', ...problem }, now);
}
