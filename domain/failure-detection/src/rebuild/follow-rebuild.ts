import { hasFailed, isAtRest } from './choose-rebuilds.ts';
import type { RecoverySettings } from '../detection-settings.ts';
import type { RebuildRecord } from '../incident/incident.ts';
import type { EvacuationRecord, LeftInstance, LostInstance, RequestAnswer } from '../incident/incident-facts.ts';
import { rebuildability } from './rebuildability.ts';

/** What is known now of one instance that was lost. */
export interface RebuildNews {
  readonly evacuation: EvacuationRecord | undefined;
  readonly instance: LostInstance | undefined;
  /** What becomes of it when it is not listed any more, in a compute system that rebuilds by itself. */
  readonly left: LeftInstance | undefined;
  /** Whether that is such a compute system: what it was asked for, and how it answered, says nothing. */
  readonly isAutomatic: boolean;
  readonly answer: RequestAnswer | undefined;
  readonly listedAt: number;
  readonly settings: RecoverySettings;
  readonly now: number;
}

/** Brings the record of one instance up to what is known now. What has an end stays as it is. */
export function followRebuild(record: RebuildRecord, news: RebuildNews): RebuildRecord {
  switch (record.state) {
    case 'rebuilt':
    case 'gone':
    case 'skipped':
    case 'failed':
      return record;
    case 'pending':
    case 'asked':
      if (news.evacuation !== undefined) return followRecord(record, news.evacuation, news);
      if (news.left !== undefined) return followLeft(record, news.left, news);
      if (record.state === 'pending') return followPending(record, news);
      return news.isAutomatic ? record : followAsked(record, news);
  }
}

/** It is rebuilt without being asked for, so that there is no record: it has come when it is seen to run elsewhere. */
function followLeft(record: RebuildRecord, left: LeftInstance, { listedAt, now }: RebuildNews): RebuildRecord {
  const begun = { ...record, attempts: Math.max(1, record.attempts), startedAt: record.startedAt ?? now };
  switch (left.fate) {
    case 'gone':
      return end(record, 'gone', 'there is no such instance any more', now);
    case 'off':
      return end(record, 'skipped', 'it has ended with its host, and its owner alone starts it again', now);
    case 'coming': {
      const message = `it is ${left.stateText}: it is started elsewhere without being asked for`;
      return { ...begun, state: 'asked', askedAt: record.askedAt ?? listedAt, message };
    }
    case 'elsewhere': {
      const target = left.hostName ?? record.target;
      return { ...begun, state: 'rebuilt', target, endedAt: now, message: `it runs on ${target ?? 'another host'}` };
    }
  }
}

/** The record of the evacuation is the only word on its end, whoever asked for it. */
function followRecord(before: RebuildRecord, evacuation: EvacuationRecord, news: RebuildNews): RebuildRecord {
  const { id: evacuationId, state, message, targetName } = evacuation;
  const record: RebuildRecord = {
    ...before,
    evacuationId,
    target: targetName ?? before.target,
    // One that we never asked for is an attempt too.
    attempts: before.state === 'pending' && before.asks === 0 ? before.attempts + 1 : before.attempts,
    startedAt: before.startedAt ?? news.now,
  };
  switch (state) {
    case 'open':
      return { ...record, state: 'asked', askedAt: record.askedAt ?? news.listedAt, message: 'it is being rebuilt' };
    case 'done':
      return { ...record, state: 'rebuilt', endedAt: news.now, message: 'it was rebuilt' };
    case 'failed':
      return failAttempt(record, `its evacuation failed: ${message}`, news);
  }
}

function followPending(record: RebuildRecord, news: RebuildNews): RebuildRecord {
  const { instance, isAutomatic, now } = news;
  if (instance === undefined) return end(record, 'gone', 'it is not on the host any more', now);
  const how = rebuildability(instance);
  if (how.kind === 'skip') return end(record, 'skipped', how.message, now);
  const next = { ...record, priority: instance.priority };
  if (!isAutomatic && hasFailed(record) && !isAtRest(instance)) return waitForRest(next, instance, news);
  switch (how.kind) {
    case 'yes':
      return { ...next, passesSince: undefined };
    case 'later':
      return waitForState(next, instance, news);
    case 'no':
      return isAutomatic ? { ...next, passesSince: undefined } : endInState(next, instance, now);
  }
}

/**
 * What an instance was doing when its host died may yet come to an end, as a move does of which the target decides. Where nobody
 * asks for it, it never fails for that: it is awaited like any other in the end.
 */
function waitForState(record: RebuildRecord, instance: LostInstance, news: RebuildNews): RebuildRecord {
  const { isAutomatic, listedAt, settings, now } = news;
  const passesSince = record.passesSince ?? listedAt;
  const isTooLong = listedAt - passesSince >= settings.evacuationTimeoutMs;
  if (isTooLong && !isAutomatic) return endInState(record, instance, now);
  return { ...record, passesSince, message: `it is ${instance.stateText}, which is waited for to pass` };
}

function endInState(record: RebuildRecord, { stateText }: LostInstance, now: number): RebuildRecord {
  return end(record, 'failed', `it is ${stateText}, which cannot be rebuilt; reset its state first`, now);
}

/** A compute system is still busy with what failed; a second evacuation now could wreck it. */
function waitForRest(record: RebuildRecord, { stateText }: LostInstance, news: RebuildNews): RebuildRecord {
  const { listedAt, settings, now } = news;
  const waitedMs = listedAt - (record.retryAfter ?? listedAt);
  if (waitedMs < settings.evacuationTimeoutMs)
    return { ...record, message: `it is ${stateText} and waits for its end` };
  return end(record, 'failed', `it is ${stateText} since its evacuation failed; reset its state and evacuate it`, now);
}

/**
 * Asked for, and there is no record. A compute system makes the record before it answers, so a list that was read long
 * after the request shows that it never arrived; only then may it be made again.
 */
function followAsked(record: RebuildRecord, news: RebuildNews): RebuildRecord {
  const { answer, listedAt, settings } = news;
  if (record.evacuationId !== undefined) return { ...record, message: 'the record of its evacuation is not listed' };
  if (answer?.kind === 'refused') return failAttempt(record, `its evacuation was refused: ${answer.message}`, news);
  const isLost = listedAt - (record.askedAt ?? listedAt) >= settings.graceMs;
  if (answer?.kind !== 'not-done' && !isLost) return record;
  const message = answer?.kind === 'not-done' ? answer.message : 'nothing is known of the request';
  if (record.asks >= settings.maximumAsks) {
    return failAttempt(record, `asked for ${record.asks} times; the last time: ${message}`, news);
  }
  // Where nothing was done, a moment's rest; what never arrived in all that time has rested enough.
  const retryAfter = isLost ? undefined : listedAt;
  return { ...record, state: 'pending', askedAt: undefined, retryAfter, message: `${message}; it is asked for again` };
}

/** One attempt is over and has failed: the next one may be made as long as any are left. */
function failAttempt(record: RebuildRecord, why: string, { settings, listedAt, now }: RebuildNews): RebuildRecord {
  const { attempts, evacuationId, askedTarget, pastEvacuations, failedTargets, failuresElsewhere } = record;
  const failed: RebuildRecord = {
    ...record,
    pastEvacuations: evacuationId === undefined ? pastEvacuations : [...pastEvacuations, evacuationId],
    failedTargets: askedTarget === undefined ? failedTargets : [...failedTargets, askedTarget],
    failuresElsewhere: askedTarget === undefined ? failuresElsewhere + 1 : failuresElsewhere,
  };
  const most = settings.attemptsPerInstance;
  if (attempts >= most) {
    return end(failed, 'failed', attempts > 1 ? `${attempts} attempts failed; the last: ${why}` : why, now);
  }
  return {
    ...failed,
    state: 'pending',
    asks: 0,
    askedAt: undefined,
    evacuationId: undefined,
    target: undefined,
    askedTarget: undefined,
    retryAfter: listedAt,
    message: `attempt ${attempts} of ${most}: ${why}; it is tried again`,
  };
}

function end(
  record: RebuildRecord,
  state: Extract<RebuildRecord['state'], 'gone' | 'skipped' | 'failed'>,
  message: string,
  now: number,
): RebuildRecord {
  return { ...record, state, message, endedAt: now };
}
