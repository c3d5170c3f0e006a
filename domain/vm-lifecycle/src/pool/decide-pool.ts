import { labelSelectorFrom, matchesLabels, printLabelSelector } from '@smalt/kubernetes';
import {
  ReplicaSetConditionType,
  VirtualMachineConditionType,
  type VirtualMachine,
  type VirtualMachinePool,
  type VirtualMachinePoolStatus,
} from '@smalt/vm-api';

import { hasCondition, withCondition, withoutCondition, type Conditions } from '../conditions/conditions.ts';
import { asJudged, type Judged } from '../judged/as-judged.ts';
import { hopeMs } from './failing-machines.ts';
import { claimsToKeep, type ClaimToKeep } from './keep-claims.ts';
import { orderMachines, selectMachines } from './order-machines.ts';
import type { PoolFacts } from './pool-facts.ts';
import { poolMachine } from './pool-machine.ts';
import { planPoolUpdate, type PoolUpdate } from './plan-pool-update.ts';

/** How many are made or deleted at once. */
const BURST = 250;

export type PoolAction =
  | { readonly kind: 'create-machine'; readonly machine: VirtualMachine }
  | ({ readonly kind: 'delete-machine' } & Judged)
  | ClaimToKeep
  | PoolUpdate;

export interface PoolDecision {
  readonly actions: readonly PoolAction[];
  readonly status: VirtualMachinePoolStatus;
  /** When to look again though nothing has changed. */
  readonly againInMs?: number;
}

/**
 * Decides which machines of a pool are made, deleted, changed and restarted. One thing after the other: nothing is changed
 * before there are as many as there should be. A machine does not go before its claims are kept, if they are to be; a claim
 * that cannot be kept holds back nothing else.
 */
export function decidePool(facts: PoolFacts): PoolDecision {
  const { pool, machines, problem, now } = facts;
  const { metadata, spec } = pool;
  const selector = labelSelectorFrom(spec.selector);
  const isOwn = matchesLabels(selector, spec.virtualMachineTemplate.metadata?.labels);
  const isIdle = metadata.deletionTimestamp !== undefined || spec.paused === true || !isOwn;
  const mismatch = {
    reason: 'FailedCreate',
    message: 'spec.selector does not match spec.virtualMachineTemplate.metadata.labels; make them the same',
  };
  const hope = isIdle ? undefined : soonest(facts);
  return {
    actions: isIdle ? [] : actionsOf(facts),
    status: {
      replicas: machines.length,
      readyReplicas: machines.filter(isReady).length,
      labelSelector: printLabelSelector(selector),
      conditions: [...conditionsOf(pool, isOwn ? problem : mismatch, now)],
    },
    ...(hope === undefined ? {} : { againInMs: hope }),
  };
}

function actionsOf(facts: PoolFacts): readonly PoolAction[] {
  const kept = claimsToKeep(facts);
  const owners = new Set(kept.flatMap((claim) => claim.owners));
  const changes = changesOf(facts).filter((action) => !isEndOf(action, owners));
  return [...changes, ...kept.slice(0, BURST)];
}

function isEndOf(action: PoolAction, uids: ReadonlySet<string>): boolean {
  const isEnd = action.kind === 'delete-machine' || action.kind === 'replace-machine';
  return isEnd && action.uid !== undefined && uids.has(action.uid);
}

function changesOf(facts: PoolFacts): readonly PoolAction[] {
  const { pool, machines } = facts;
  const { replicas = 1 } = pool.spec;
  const living = machines.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const hopeless = living.filter((machine) => hopeOf(facts, machine) === 0);
  if (hopeless.length > 0) return hopeless.slice(0, BURST).map(deletionOf);
  const missing = Math.max(0, replicas) - machines.length;
  if (missing > 0) return creations(facts, Math.min(missing, BURST));
  if (missing < 0) return scaleIn(facts, living, Math.min(-missing, BURST));
  return planPoolUpdate(facts, living);
}

/** Machines with the lowest numbers that no machine of the namespace has. */
function creations({ pool, isTaken }: PoolFacts, count: number): readonly PoolAction[] {
  const actions: PoolAction[] = [];
  for (let index = 0; actions.length < count; index++) {
    if (!isTaken(`${pool.metadata.name}-${index}`))
      actions.push({ kind: 'create-machine', machine: poolMachine(pool, index) });
  }
  return actions;
}

function scaleIn(facts: PoolFacts, living: readonly VirtualMachine[], surplus: number): readonly PoolAction[] {
  const { pool, machines, random } = facts;
  const { scaleInStrategy: strategy } = pool.spec;
  if (strategy?.unmanaged !== undefined || strategy?.opportunistic !== undefined) return [];
  const policy = strategy?.proactive?.selectionPolicy;
  // Those that go already count.
  const count = surplus - (machines.length - living.length);
  return orderMachines(selectMachines(living, policy), policy, random).slice(0, Math.max(0, count)).map(deletionOf);
}

function deletionOf({ metadata }: VirtualMachine): PoolAction {
  return { kind: 'delete-machine', ...asJudged(metadata) };
}

function isReady({ status }: VirtualMachine): boolean {
  return hasCondition(status?.conditions, VirtualMachineConditionType.ready, 'True');
}

function hopeOf({ pool, instanceOf, now }: PoolFacts, machine: VirtualMachine): number | undefined {
  const { autohealing } = pool.spec;
  return autohealing === undefined ? undefined : hopeMs(machine, instanceOf(machine), autohealing, now);
}

function soonest(facts: PoolFacts): number | undefined {
  const living = facts.machines.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const hopes = living.flatMap((machine) => hopeOf(facts, machine) ?? []).filter((hope) => hope > 0);
  return hopes.length === 0 ? undefined : Math.min(...hopes);
}

function conditionsOf({ spec, status }: VirtualMachinePool, problem: PoolFacts['problem'], now: number): Conditions {
  const { replicaFailure, replicaPaused } = ReplicaSetConditionType;
  const paused = {
    type: replicaPaused,
    status: 'True',
    reason: 'SuccessfulPaused',
    message: 'Pool controller is paused',
  } as const;
  const before =
    spec.paused === true
      ? withCondition(status?.conditions, paused, now)
      : withoutCondition(status?.conditions, replicaPaused);
  if (problem === undefined) return withoutCondition(before, replicaFailure);
  return withCondition(before, { type: replicaFailure, status: 'True', ...problem }, now);
}
