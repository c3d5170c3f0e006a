import type { EvictionStep } from './eviction-plan.ts';
import type { InstanceSight, Judgement } from './judgement.ts';
import { isUnderWay } from './newest-moves.ts';
import { about, blank, remember, sinceOf, timeText, UNHEARD } from './remember.ts';
import { isInFlight, type RememberedInstance } from './remembered-instance.ts';

/** Decides about an instance that is on its way: it may take its time, but not for ever. */
export function judgeFlight(sight: InstanceSight): Judgement {
  const { memory } = sight;
  // It was told already that it hangs; it goes on when the compute system says that it is over.
  if (memory?.state === 'Failed' && memory.message?.startsWith(STUCK) === true) return { kind: 'held', memory };
  if (memory === undefined || !isInFlight(memory)) return adopt(sight);
  if (memory.state === 'Aborting') return judgeAbort(sight, memory);
  return judgeDuration(sight, memory);
}

const STUCK = 'stuck: ';

/** Somebody else began to move it. That is as good as if we had, but it is not ours to stop. */
function adopt(sight: InstanceSight): Judgement {
  const { instance, memory, now } = sight;
  // Soon after a request of ours of which nothing was heard it is most likely that.
  if (memory?.state === 'Waiting' && memory.message?.startsWith(UNHEARD) === true) {
    const late = { ...memory, state: 'Moving', attempts: Math.max(1, memory.attempts), since: timeText(now) } as const;
    return { kind: 'held', memory: noteBeginning(sight, remember(instance, late)) };
  }
  const adopted = {
    ...blank(instance),
    ...memory,
    attempts: 0,
    state: 'Moving',
    since: timeText(now),
    message: 'the move was begun by somebody else',
  } as const;
  return { kind: 'held', memory: remember(instance, adopted) };
}

function judgeDuration(sight: InstanceSight, memory: RememberedInstance): Judgement {
  const { instance, move, limits, now } = sight;
  const seen = noteBeginning(sight, memory);
  const timeoutMs = timeoutOf(sight);
  if (now - sinceOf(seen, now) < timeoutMs) return { kind: 'held', memory: seen };
  if (!isUnderWay(move) || !move.isLive || memory.attempts === 0) {
    return stuck(sight, seen, `its move takes longer than ${timeoutMs / 1000} s: look at instance ${instance.id}`);
  }
  const message = `its move took longer than ${limits.liveTimeoutMs / 1000} s and is being stopped`;
  return {
    kind: 'held',
    memory: { ...seen, state: 'Aborting', since: timeText(now), message },
    step: { kind: 'abort', instanceId: instance.id, move },
  };
}

const ON_ITS_WAY = 'on its way';

/** Its time counts from when it was first seen to run: the request may have waited, and the move may have been queued. */
function noteBeginning({ move, now }: InstanceSight, memory: RememberedInstance): RememberedInstance {
  const moving = { ...memory, state: 'Moving' } as const;
  const isSeen = memory.message?.startsWith(ON_ITS_WAY) === true;
  if (isSeen || memory.attempts === 0 || move?.state !== 'running' || move.id === memory.move) return moving;
  const target = move.targetName === undefined ? '' : ` to ${move.targetName}`;
  return { ...moving, since: timeText(now), message: `${ON_ITS_WAY}${target}` };
}

/** A move that is queued has not begun: those before it may take their time, too. */
function timeoutOf({ move, limits }: InstanceSight): number {
  if (move === undefined || !move.isLive) return limits.coldTimeoutMs;
  return move.state === 'queued' ? limits.liveTimeoutMs * limits.perHost : limits.liveTimeoutMs;
}

function judgeAbort(sight: InstanceSight, memory: RememberedInstance): Judgement {
  const { instance, move, answer, limits, now } = sight;
  const age = now - sinceOf(memory, now);
  if (age >= limits.abortTimeoutMs) {
    return stuck(sight, memory, `its move cannot be stopped: look at instance ${instance.id} and its host`);
  }
  const isRefused = answer !== undefined && answer.kind !== 'accepted';
  const isDue = isRefused || age >= limits.graceMs;
  if (!isDue || !isUnderWay(move)) return { kind: 'held', memory };
  const step: EvictionStep = { kind: 'abort', instanceId: instance.id, move };
  return { kind: 'held', memory, step };
}

function stuck({ instance, now }: InstanceSight, memory: RememberedInstance, why: string): Judgement {
  const message = `${STUCK}${why}`;
  return {
    kind: 'held',
    memory: remember(instance, { ...memory, state: 'Failed', since: timeText(now), message }),
    happening: {
      ...about(instance),
      kind: 'failed',
      message: `Migration of instance ${instance.id} failed: ${message}`,
    },
  };
}
