import { findCondition } from '@smalt/controller-runtime';
import type { ComputeHost } from '@smalt/compute';
import type { EvictionHappening, EvictionPlan, PreflightReport, RememberedInstance } from '@smalt/eviction-plan';
import { isGivenUp } from '@smalt/eviction-plan';
import { EvictionConditionReason, EvictionConditionType, type Eviction, type EvictionStatus } from '@smalt/fleet-api';
import type { Condition } from '@smalt/kubernetes';

import type { StatedCondition, Statement } from '../frame/owned-status.ts';

const MOST_NAMED = 5;
const LONGEST = 400;

/** What the checks before the first move came to. */
export type PreflightResult =
  | { readonly kind: 'not-disabled' }
  /** The host does not answer to the compute system. */
  | { readonly kind: 'down'; readonly host: Pick<ComputeHost, 'name' | 'isForcedDown'> }
  /** The targets could not be asked for. */
  | { readonly kind: 'unknown'; readonly message: string }
  | { readonly kind: 'checked'; readonly report: PreflightReport };

export type EvictingVerdict =
  /** `waitsForMoves` is the number of moves of other evictions that have to end first, if any. */
  | { readonly kind: 'running'; readonly waitsForMoves?: number }
  | { readonly kind: 'succeeded'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

/** Says whether all have left, somebody stays for good, or there is more to do. */
export function judgeEviction({ counts, remembered, waitsForMoves }: EvictionPlan): EvictingVerdict {
  if (counts.left === 0) return { kind: 'succeeded', message: 'eviction completed successfully' };
  if (counts.failed < counts.left) return { kind: 'running', waitsForMoves: counts.moving === 0 ? waitsForMoves : 0 };
  const stay = remembered.filter(isGivenUp);
  const advice = "settle that, then set the annotation kvm.cloud.sap/retry on the Eviction, or change its 'reason'";
  return { kind: 'failed', message: `${stay.length} instances could not be moved: ${listed(stay)}; ${advice}` };
}

export function evictingCondition(verdict: EvictingVerdict, generation: number | undefined): StatedCondition {
  const reason = EvictionConditionReason.Evicting;
  const about = { type: EvictionConditionType.evicting, observedGeneration: generation };
  switch (verdict.kind) {
    case 'running':
      return { ...about, status: 'True', reason: reason.running, message: runningText(verdict) };
    case 'succeeded':
      return { ...about, status: 'False', reason: reason.succeeded, message: verdict.message };
    case 'failed':
      return { ...about, status: 'False', reason: reason.failed, message: verdict.message, isWarning: true };
  }
}

function runningText({ waitsForMoves = 0 }: { readonly waitsForMoves?: number }): string {
  if (waitsForMoves === 0) return 'Running';
  return `Running, waits: ${waitsForMoves} moves of other evictions are under way, as many as the limits allow`;
}

/** Says how the checks went; a problem is told even where the rest may move all the same. */
export function preflightCondition(result: PreflightResult): StatedCondition {
  const type = EvictionConditionType.preflightChecksSucceeded;
  const reason = EvictionConditionReason.PreflightChecksSucceeded;
  const message = preflightProblem(result);
  // That a host is not disabled yet is how every eviction begins.
  if (message !== undefined)
    return { type, status: 'False', reason: reason.failed, message, isWarning: result.kind !== 'not-disabled' };
  const passed = 'Preflight checks passed, hypervisor is disabled and ready for eviction';
  return { type, status: 'True', reason: reason.succeeded, message: passed };
}

function preflightProblem(result: PreflightResult): string | undefined {
  switch (result.kind) {
    case 'not-disabled':
      return 'hypervisor not disabled';
    case 'down':
      return downText(result.host);
    case 'unknown':
      return `failed to look for other hosts: ${result.message}`;
    case 'checked': {
      const { problems, isRoomMissing } = result.report;
      if (problems.length === 0) return undefined;
      const advice = isRoomMissing ? '; make room on other hosts, or set preflight to best-effort' : '';
      return `${problems.length} instances cannot leave: ${listed(problems)}${advice}`;
    }
  }
}

function downText({ name, isForcedDown }: Pick<ComputeHost, 'name' | 'isForcedDown'>): string {
  const advice = isForcedDown
    ? `it was declared so; take that back with 'openstack compute service set --up ${name} nova-compute'`
    : `start nova-compute there, or evacuate its instances if the host is lost`;
  return `the compute service of ${name} is down, so nothing can be moved away from it: ${advice}`;
}

/** Says what moves, or who failed, or who was moved last. Undefined when there is nothing to tell. */
export function migratingCondition(
  eviction: Eviction,
  { counts, remembered, happenings }: Pick<EvictionPlan, 'counts' | 'remembered' | 'happenings'>,
): StatedCondition | undefined {
  const type = EvictionConditionType.migratingInstance;
  const reason = EvictionConditionReason.MigratingInstance;
  if (counts.moving > 0) {
    const waiting = counts.left - counts.moving - counts.failed;
    const message = `${counts.moving} moving, ${counts.moved} of ${counts.total} moved, ${waiting} waiting, ${counts.failed} failed`;
    return { type, status: 'True', reason: reason.running, message };
  }
  const failure = remembered.find(isGivenUp) ?? remembered.find(hasFailedOnce);
  if (failure !== undefined) {
    return { type, status: 'False', reason: reason.failed, message: failureText(failure), isWarning: true };
  }
  const last = happenings.findLast(({ kind }) => kind === 'moved' || kind === 'gone');
  const old = findCondition(eviction.status?.conditions, type);
  if (last !== undefined) return { type, status: 'False', reason: reason.succeeded, message: lastText(last) };
  if (old === undefined) return undefined;
  const isFine = old.status === 'False' && old.reason === reason.succeeded;
  const message = isFine ? old.message : 'no instance is moving';
  return { type, status: 'False', reason: reason.succeeded, message };
}

function hasFailedOnce({ state, message }: RememberedInstance): boolean {
  return state === 'Waiting' && message !== undefined;
}

function failureText({ id, state, attempts, message = '' }: RememberedInstance): string {
  if (message.startsWith('failed to ') || message.startsWith('Live migration of')) return shortened(message);
  if (state === 'Waiting' && attempts === 0) return shortened(`Migration of instance ${id} has not begun: ${message}`);
  return shortened(`Migration of instance ${id} failed: ${message}`);
}

function lastText({ message }: EvictionHappening): string {
  return shortened(message);
}

/** The fields of a status that stay as they are when nothing new is known. */
export function unchangedFields(status: EvictionStatus | undefined): NonNullable<Statement['fields']> {
  const { conditions: _, ...fields } = status ?? {};
  return fields;
}

/** The fields when nobody follows the moves any more, or, if it is empty, when there can be none. */
export function haltedFields(status: EvictionStatus | undefined, isEmpty: boolean): NonNullable<Statement['fields']> {
  const fields = unchangedFields(status);
  const { total = 0, moved = 0, left = 0, failed = 0 } = status?.progress ?? {};
  const hasProgress = status?.progress !== undefined;
  if (!isEmpty) return { ...fields, ...(hasProgress && { progress: { total, moved, moving: 0, left, failed } }) };
  const progress = { total, moved: total, moving: 0, left: 0, failed: 0 };
  return {
    ...fields,
    outstandingRamMb: 0,
    outstandingInstances: [],
    instances: [],
    ...(hasProgress && { progress }),
  };
}

/** Takes back that something moves, if that was said. */
export function haltedConditions(eviction: Eviction, message: string): readonly StatedCondition[] {
  const type = EvictionConditionType.migratingInstance;
  if (findCondition(eviction.status?.conditions, type)?.status !== 'True') return [];
  const { failed } = EvictionConditionReason.MigratingInstance;
  return [{ type, status: 'False', reason: failed, message: shortened(message) }];
}

/** The conditions there are, to be stated again, with others in the place of theirs. */
export function unchangedConditions(
  eviction: Eviction,
  changes: readonly StatedCondition[] = [],
): readonly StatedCondition[] {
  const changed = new Set(changes.map(({ type }) => type));
  const rest = (eviction.status?.conditions ?? []).filter(({ type }) => !changed.has(type) && isOurs(type));
  return [...rest.map(stated), ...changes];
}

function stated({ type, status, reason, message, observedGeneration }: Condition): StatedCondition {
  return { type, status, reason, message, observedGeneration };
}

export function evictionFields(
  plan: EvictionPlan,
  hypervisorId: string,
  rate: { readonly mibPerSecond?: number; readonly secondsLeft?: number },
): NonNullable<Statement['fields']> {
  return {
    hypervisorServiceId: hypervisorId,
    outstandingInstances: plan.outstanding,
    outstandingRamMb: plan.outstandingMemoryMiB,
    progress: { ...plan.counts, ...rate },
    instances: plan.remembered.map((memory) =>
      memory.message === undefined ? memory : { ...memory, message: shortened(memory.message) },
    ),
  };
}

function isOurs(type: string): boolean {
  return Object.values<string>(EvictionConditionType).includes(type);
}

interface Named {
  readonly id: string;
  readonly name?: string;
  readonly message?: string;
}

function listed(list: readonly Named[]): string {
  const named = list.slice(0, MOST_NAMED).map(({ id, name, message = 'no reason known' }) => {
    const called = name === undefined || name === '' ? id : `${id} (${name})`;
    return shortened(`${called}: ${message}`);
  });
  const more = list.length > MOST_NAMED ? `; and ${list.length - MOST_NAMED} more` : '';
  return `${named.join('; ')}${more}`;
}

function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  // By code points: half of one is no text.
  const characters = Array.from(text);
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`;
}

/** Says that the compute system could not be asked: before the checks were passed in these, then in the moves. */
export function failureCondition(eviction: Eviction, message: string): StatedCondition {
  const checked = EvictionConditionType.preflightChecksSucceeded;
  const isChecked = findCondition(eviction.status?.conditions, checked)?.status === 'True';
  const type = isChecked ? EvictionConditionType.migratingInstance : checked;
  return { type, status: 'False', reason: 'Failed', message: shortened(message), isWarning: true };
}
