import { considerTrouble } from './consider-trouble.ts';
import { followMove } from './follow-move.ts';
import { followRestart } from './follow-restart.ts';
import { callsForLook, hearEvents, tellsTrouble } from './hear-events.ts';
import type { InstanceEvent } from './instance-event.ts';
import type { InstanceFacts } from './instance-facts.ts';
import type { InstanceRecoverySettings } from './instance-recovery-settings.ts';
import { objectToRecovery } from './object-to-recovery.ts';
import { isQuiet, newRecovery, type RecoveryRecord } from './recovery-record.ts';
import { drop, type NextRecovery } from './recovery-step.ts';

export interface RecoveryContext {
  readonly settings: InstanceRecoverySettings;
  readonly now: number;
}

/**
 * Takes in good news of an instance that nothing is wrong with, and that is where it was: that it has started, goes on or
 * answers. The same as `nextRecovery` for one that is there, without its facts. Undefined where they are needed: machines start
 * far more often than they fail, and to look at each of them is what costs.
 */
export function takeInGoodNews(
  instanceId: string,
  before: RecoveryRecord | undefined,
  events: readonly InstanceEvent[],
  { settings, now }: RecoveryContext,
): NextRecovery | undefined {
  const host = before?.host ?? events.at(-1)?.host;
  if (host === undefined || !settings.isEnabled || (before !== undefined && !isQuiet(before))) return undefined;
  if (events.some((event) => event.host !== host || callsForLook(event))) return undefined;
  const known = withinWindow(before ?? newRecovery(instanceId, host), settings, now);
  const record = hearEvents(known, events, settings, now);
  return { record: isForgettable(record, settings, now) ? undefined : record, action: undefined };
}

/**
 * Decides what is done next about one instance. Save the record it returns, or forget it where there is none, before the
 * action is carried out; whoever is stopped in between comes back with what was saved. `facts` is undefined for one that
 * is not there any more.
 */
export function nextRecovery(
  before: RecoveryRecord | undefined,
  events: readonly InstanceEvent[],
  facts: InstanceFacts | undefined,
  { settings, now }: RecoveryContext,
): NextRecovery {
  const host = before?.host ?? events.at(-1)?.host ?? facts?.hostName;
  const isTold = before?.trouble !== undefined || events.some(tellsTrouble);
  if (facts === undefined || host === undefined || !settings.isEnabled) {
    const why = settings.isEnabled
      ? 'the compute system does not have it any more'
      : 'instance recovery is switched off';
    return { record: undefined, action: undefined, ...(isTold && { dropped: why }) };
  }
  const known = withinWindow(before ?? newRecovery(facts.id, host), settings, now);
  const heard = hearEvents(atHome(known, facts), events, settings, now);
  const next = stepsOf(heard, facts, settings, now);
  const kept = isForgettable(next.record, settings, now) ? { record: undefined, action: undefined } : next;
  if (!isTold || next.record === undefined || !isQuiet(next.record)) return kept;
  return { ...kept, dropped: heard.trouble === undefined ? LATE : next.record.message };
}

/** What is history, or came before its last start, or was told by another host than the one it is on. */
const LATE = 'what was told of it is over: it has started, was stopped or was moved since, or it came too late';

function stepsOf(
  record: RecoveryRecord,
  facts: InstanceFacts,
  settings: InstanceRecoverySettings,
  now: number,
): NextRecovery {
  switch (record.state) {
    case 'watching':
      return considerTrouble(record, facts, settings, now);
    case 'restarting':
      return followRestart(record, facts, settings, now);
    case 'moving':
      return followMove(record, facts, settings, now);
    case 'failed':
      return followFailed(record, facts);
  }
}

/** One that somebody else has moved has left its trouble behind. */
function atHome(record: RecoveryRecord, { hostName, name }: InstanceFacts): RecoveryRecord {
  if (hostName === undefined || hostName === record.host || record.state === 'moving') return record;
  const { instanceId, restarts, moves } = record;
  return { ...newRecovery(instanceId, hostName), restarts, moves, message: `${name} is on ${hostName} now` };
}

/** A person is called once; it is over when the instance runs again, or its owner has put it away. */
function followFailed(record: RecoveryRecord, facts: InstanceFacts): NextRecovery {
  const objection = objectToRecovery(facts, record.trouble);
  if (objection?.kind === 'drop') return drop(record, `${facts.name} ${objection.message}`);
  if (record.trouble === undefined) return drop(record, `${facts.name} runs again`);
  return { record, action: undefined };
}

function withinWindow(record: RecoveryRecord, { windowMs }: InstanceRecoverySettings, now: number): RecoveryRecord {
  const isRecent = (at: number): boolean => now - at < windowMs;
  if (record.restarts.every(isRecent) && record.moves.every(isRecent)) return record;
  return { ...record, restarts: record.restarts.filter(isRecent), moves: record.moves.filter(isRecent) };
}

/** A start is remembered as long as events from before it may still come. */
function isForgettable(
  record: RecoveryRecord | undefined,
  { maximumEventAgeMs }: InstanceRecoverySettings,
  now: number,
): boolean {
  if (record === undefined) return true;
  const { restarts, moves, startedAt } = record;
  if (!isQuiet(record) || restarts.length + moves.length > 0) return false;
  return startedAt === undefined || now - startedAt > maximumEventAgeMs;
}
