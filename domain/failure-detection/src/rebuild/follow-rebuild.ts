import { hasFailed, isAtRest } from './choose-rebuilds.ts';
import type { RecoverySettings } from '../detection-settings.ts';
import type { RebuildRecord } from '../incident/incident.ts';
import type { EvacuationRecord, LostInstance, RequestAnswer } from '../incident/incident-facts.ts';
import { rebuildability } from './rebuildability.ts';

/** What is known now of one instance that was lost. */
export interface RebuildNews {
  readonly evacuation: EvacuationRecord | undefined;
  readonly instance: LostInstance | undefined;
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
      return news.evacuation === undefined ? followPending(record, news) : followRecord(record, news.evacuation, news);
    case 'asked':
      return news.evacuation === undefined ? followAsked(record, news) : followRecord(record, news.evacuation, news);
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
  const { instance, now } = news;
  if (instance === undefined) return end(record, 'gone', 'it is not on the host any more', now);
  const how = rebuildability(instance);
  if (how.kind === 'skip') return end(record, 'skipped', how.message, now);
  const next = { ...record, priority: instance.priority };
  if (hasFailed(record) && !isAtRest(instance)) return waitForRest(next, instance, news);
  return how.kind === 'no' ? end(next, 'failed', how.message, now) : next;
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
