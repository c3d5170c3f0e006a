import type { ComputeInstance, ComputeMove } from '@smalt/compute';

import type { EvictionHappening } from './eviction-plan.ts';
import type { InstanceSight, Judgement } from './judgement.ts';
import { isUnderWay } from './newest-moves.ts';
import { blank, sinceOf, timeText } from './remember.ts';
import { isInFlight, type RememberedInstance } from './remembered-instance.ts';
import { settle } from './settle.ts';

/** All that is known of an instance that was on the host and that its list does not show any more. */
export interface AbsenceSight extends Omit<InstanceSight, 'instance'> {
  readonly id: string;
  /** Where it was found, if it still exists: on another host, or on none. */
  readonly found: ComputeInstance | undefined;
}

/** Decides whether an instance that is not on the host any more has left for good. */
export function judgeAbsence(sight: AbsenceSight): Judgement {
  const { id, found, memory, move, limits, now } = sight;
  if (found === undefined) return { kind: 'left', happening: gone(id, memory) };
  if (isOutOfSight(found)) return outOfSight(sight, found);
  if (isToConfirm(sight)) return confirm(sight, memory ?? { id, state: 'Moving', attempts: 0 });
  const isAwaited = memory !== undefined && isInFlight(memory) && now - sinceOf(memory, now) < limits.liveTimeoutMs;
  // The record has the last word: an instance may be seen at its target before the move is over.
  if (isAwaited && isUnderWay(move)) return { kind: 'held', memory };
  if (isBroken(found, move)) return settle({ ...sight, instance: found }, 'Failed', brokenText(found, move));
  return { kind: 'left', happening: arrived(sight, found) };
}

/** Nothing is known of it, as of one in a part of the compute system that is away: it may be on the host still. */
function isOutOfSight({ state, hostName }: ComputeInstance): boolean {
  return hostName === undefined && state === 'busy';
}

function outOfSight({ memory }: AbsenceSight, found: ComputeInstance): Judgement {
  if (memory !== undefined) return { kind: 'held', memory };
  const message = `the compute system does not say where it is: it is in ${found.stateText}`;
  return { kind: 'held', memory: { ...blank(found), message } };
}

/** Only a move that leaves the instance as it is may be confirmed: a resize, here or where it is now, is its owner's. */
function isToConfirm({ found, move }: AbsenceSight): boolean {
  if (move === undefined || move.isLive || move.isResize) return false;
  return move.state === 'unconfirmed' && found?.state === 'unconfirmed';
}

/** Whether a move off this host did not bring the instance anywhere whole. */
function isBroken(found: ComputeInstance, move: ComputeMove | undefined): move is ComputeMove {
  return found.state === 'failed' && (move?.state === 'failed' || move?.state === 'unconfirmed');
}

function brokenText({ hostName, stateText, fault }: ComputeInstance, move: ComputeMove): string {
  const where = hostName === undefined ? '' : ` on ${hostName}`;
  const why = fault ?? 'reset its state or delete it';
  return `its move ended as ${move.stateText} and left it in ${stateText}${where}: ${why}`;
}

function confirm({ limits, now }: AbsenceSight, memory: RememberedInstance): Judgement {
  const step = { kind: 'confirm', instanceId: memory.id } as const;
  if (memory.state === 'Failed') return { kind: 'held', memory, step };
  if (memory.state !== 'Confirming') {
    const { message: _, ...rest } = memory;
    return { kind: 'held', memory: { ...rest, state: 'Confirming', since: timeText(now) }, step };
  }
  if (now - sinceOf(memory, now) < limits.coldTimeoutMs) return { kind: 'held', memory, step };
  const message = `its move cannot be confirmed: try 'openstack server resize confirm ${memory.id}'`;
  return {
    kind: 'held',
    step,
    memory: { ...memory, state: 'Failed', since: timeText(now), message },
    happening: { kind: 'failed', id: memory.id, name: memory.name ?? '', message: `Instance ${memory.id}: ${message}` },
  };
}

function gone(id: string, memory: RememberedInstance | undefined): EvictionHappening {
  return { kind: 'gone', id, name: memory?.name ?? '', message: `Instance ${id} is gone` };
}

function arrived({ id, memory, move, now }: AbsenceSight, found: ComputeInstance): EvictionHappening {
  const where = found.hostName === undefined ? '' : `: it is on ${found.hostName} now`;
  const message = `Migration of instance ${id} finished${where}`;
  const isOurs = memory !== undefined && memory.attempts > 0 && isInFlight(memory);
  return {
    kind: 'moved',
    id,
    name: found.name,
    message,
    ...(isOurs && { tookMs: durationOf(move) ?? now - sinceOf(memory, now) }),
  };
}

function durationOf(move: ComputeMove | undefined): number | undefined {
  const startedAt = Date.parse(move?.startedAt ?? '');
  const endedAt = Date.parse(move?.updatedAt ?? '');
  return Number.isNaN(endedAt - startedAt) ? undefined : Math.max(0, endedAt - startedAt);
}
