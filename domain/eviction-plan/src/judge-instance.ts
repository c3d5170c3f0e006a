import type { ComputeMove } from '@smalt/compute';

import { judgeFlight } from './judge-flight.ts';
import type { InstanceSight, Judgement } from './judgement.ts';
import { movability, type Movability } from './movability.ts';
import { isUnderWay } from './newest-moves.ts';
import { about, blank, CANCELLED, remember, sinceOf, timeText, UNHEARD } from './remember.ts';
import { isInFlight, type RememberedInstance } from './remembered-instance.ts';
import { settle } from './settle.ts';

/** Decides about an instance that is on the host, by what the compute system says and what is remembered of it. */
export function judgeInstance(sight: InstanceSight): Judgement {
  const { instance, move, memory, limits } = sight;
  const how = movability(instance, limits);
  if (how.kind === 'moving' || isUnderWay(move)) return judgeFlight(sight);
  if (memory !== undefined && isInFlight(memory)) return judgeLanding(sight, memory);
  return judgeStanding(sight, how);
}

/** It stands still, and we have asked to move it: the move failed, or has not begun yet, or never will. */
function judgeLanding(sight: InstanceSight, memory: RememberedInstance): Judgement {
  const { move, answer, limits, now } = sight;
  if (move !== undefined && move.id !== memory.move) return judgeEnd(sight, memory, move);
  if (answer?.kind === 'refused') return attemptFailed(sight, memory, answer.message);
  if (answer?.kind === 'not-done') return notBegun(sight, memory, answer.message);
  if (now - sinceOf(memory, now) < limits.graceMs) return { kind: 'held', memory };
  if (memory.attempts === 0) return notBegun(sight, memory, 'the move that somebody else began came to nothing');
  // Whoever wrote down that he would ask may have been killed before he did.
  if (answer === undefined) return notBegun(sight, memory, `${UNHEARD}: whether it was asked to move is not known`);
  const why = answer.kind === 'accepted' ? 'the compute system accepted the move and never began it' : answer.message;
  // It counts even if the answer was lost: one that never gets a better answer must not be tried for ever.
  return attemptFailed(sight, memory, `${UNHEARD}: ${why}`);
}

function judgeEnd(sight: InstanceSight, memory: RememberedInstance, move: ComputeMove): Judgement {
  // It was somebody else's move: how it ended says nothing about ours.
  if (memory.attempts === 0) return notBegun(sight, { ...memory, move: move.id }, `a move ended as ${move.stateText}`);
  const ended = { ...memory, move: move.id };
  if (memory.message === CANCELLED) return notBegun(sight, ended, 'its move was stopped with the eviction');
  if (move.state === 'unconfirmed' || move.state === 'succeeded') {
    // The list may be older than the record.
    if (sight.now - sinceOf(memory, sight.now) < sight.limits.graceMs) return { kind: 'held', memory };
    return attemptFailed(sight, ended, `its move ended as ${move.stateText}, and it is still on the host`);
  }
  return attemptFailed(sight, ended, failureText(sight, memory, move));
}

function failureText({ instance, limits }: InstanceSight, memory: RememberedInstance, move: ComputeMove): string {
  if (instance.fault !== undefined && instance.state === 'failed') return instance.fault;
  if (memory.state === 'Aborting') return `its move took longer than ${limits.liveTimeoutMs / 1000} s and was stopped`;
  if (move.targetName !== undefined) return `its move to ${move.targetName} ended as ${move.stateText}`;
  // That no host could take it is only the likeliest cause: its own host may not have answered.
  return `its move ended as ${move.stateText} before it had a target: see 'openstack server event list ${instance.id}'`;
}

function attemptFailed(sight: InstanceSight, memory: RememberedInstance, why: string): Judgement {
  const { instance, limits, now } = sight;
  const isLast = memory.attempts >= limits.attempts;
  const message = isLast ? `tried ${memory.attempts} times, last: ${why}` : why;
  const kind = isLast ? 'non-migratable' : memory.state === 'Aborting' ? 'aborted' : 'failed';
  const state = isLast ? 'NonMigratable' : 'Waiting';
  return {
    kind: 'held',
    memory: remember(instance, { ...memory, state, message, since: timeText(now) }),
    happening: {
      ...about(instance),
      kind,
      isEndOfMove: true,
      message: `Migration of instance ${instance.id} failed: ${message}`,
    },
  };
}

/** Nothing was done, so it does not count as an attempt. */
function notBegun({ instance, now }: InstanceSight, memory: RememberedInstance, message: string): Judgement {
  const attempts = Math.max(0, memory.attempts - 1);
  return {
    kind: 'held',
    memory: remember(instance, { ...memory, state: 'Waiting', attempts, message, since: timeText(now) }),
  };
}

/** It stands still, and nobody has asked to move it. */
function judgeStanding(sight: InstanceSight, how: Exclude<Movability, { kind: 'moving' }>): Judgement {
  const { instance, memory, limits, now } = sight;
  switch (how.kind) {
    case 'failed':
      return settle(sight, 'Failed', how.message);
    case 'non-migratable':
      return settle(sight, 'NonMigratable', how.message);
    case 'busy':
      return waitForEnd(sight, how.message);
    case 'live':
    case 'cold':
      if (memory === undefined) return { kind: 'ready', how: how.kind, memory };
      if (memory.attempts >= limits.attempts) return { kind: 'held', memory: { ...memory, state: 'NonMigratable' } };
      if (memory.state === 'Waiting' && now - sinceOf(memory, now) < limits.retryPauseMs) {
        return { kind: 'held', memory: remember(instance, memory) };
      }
      return { kind: 'ready', how: how.kind, memory };
  }
}

function waitForEnd(sight: InstanceSight, message: string): Judgement {
  const { instance, memory, limits, now } = sight;
  const isWaiting = memory !== undefined && memory.message === message;
  const since = isWaiting ? (memory.since ?? timeText(now)) : timeText(now);
  if (isWaiting && memory.state === 'Failed') return { kind: 'held', memory };
  if (isWaiting && now - sinceOf(memory, now) >= limits.busyTimeoutMs) {
    return {
      kind: 'held',
      memory: remember(instance, { ...memory, state: 'Failed', since: timeText(now) }),
      happening: { ...about(instance), kind: 'failed', message: `Instance ${instance.id}: ${message}` },
    };
  }
  return {
    kind: 'held',
    memory: remember(instance, { ...blank(instance), ...memory, state: 'Waiting', message, since }),
  };
}
