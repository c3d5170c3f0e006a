import type { InstanceFacts } from './instance-facts.ts';
import type { InstanceRecoverySettings } from './instance-recovery-settings.ts';
import type { RecoveryRecord } from './recovery-record.ts';
import { drop, giveUp, stay, type NextRecovery, type RecoveryAction } from './recovery-step.ts';

/** Follows a cold move until the instance runs on its new host. The move itself is asked for once only. */
export function followMove(
  record: RecoveryRecord,
  facts: InstanceFacts,
  settings: InstanceRecoverySettings,
  now: number,
): NextRecovery {
  const { name, state, stateText, hostName } = facts;
  const begunAt = record.moves.at(-1) ?? record.askedAt ?? now;
  const isThere = hostName !== undefined && hostName !== record.host;
  if (facts.isLocked) return drop(record, `${name} is locked by its owner`);
  if (now - begunAt >= settings.actionTimeoutMs) {
    return giveUp(record, `${name} is ${stateText} since it was to be moved; look at it in the compute system`);
  }
  switch (state) {
    case 'deleting':
    case 'shelved':
    case 'paused':
    case 'suspended':
    case 'rescued':
      return drop(record, `${name} is ${stateText}`);
    case 'busy':
    case 'building':
    case 'moving':
      return stay(record, `${name} is being moved`);
    case 'unconfirmed':
      return isThere ? ask(record, 'confirm-move', settings, now) : stay(record, `${name} is being moved`);
    case 'failed':
      return giveUp(record, `${name} is ${stateText} after it was moved; look at it in the compute system`);
    case 'running':
      return isThere
        ? drop({ ...record, host: hostName }, `${name} was moved to ${hostName} and runs`)
        : notYet(record, facts, settings, now);
    case 'stopped':
      return isThere ? startThere(record, facts, settings, now) : notYet(record, facts, settings, now);
  }
}

/** Still on the old host: the request is on its way, or nothing came of it. */
function notYet(
  record: RecoveryRecord,
  { name, answer }: InstanceFacts,
  settings: InstanceRecoverySettings,
  now: number,
): NextRecovery {
  if (answer?.isTaken === false) {
    return giveUp(record, `${name} was not moved: ${answer.message}; move it or start it by hand`);
  }
  if (now - (record.askedAt ?? now) < settings.graceMs) return stay(record, `${name} is about to be moved`);
  return giveUp(record, `${name} was not moved, though that was asked for; move it or start it by hand`);
}

/** A cold move leaves what stood still standing; it ran before it crashed. */
function startThere(
  record: RecoveryRecord,
  { name, hostName }: InstanceFacts,
  settings: InstanceRecoverySettings,
  now: number,
): NextRecovery {
  const movedAt = record.moves.at(-1) ?? now;
  const hasStarted = record.startedAt !== undefined && record.startedAt >= movedAt;
  if (hasStarted) return drop({ ...record, host: hostName ?? record.host }, `${name} was stopped after its move`);
  return ask(record, 'start', settings, now);
}

/** Asks at once the first time, and again only when nothing came of it. */
function ask(
  record: RecoveryRecord,
  kind: Extract<RecoveryAction['kind'], 'confirm-move' | 'start'>,
  { graceMs }: InstanceRecoverySettings,
  now: number,
): NextRecovery {
  const message = kind === 'start' ? 'it is started on its new host' : 'its move is confirmed';
  if (record.message === message && now - (record.askedAt ?? now) < graceMs) return { record, action: undefined };
  return { record: { ...record, askedAt: now, message }, action: { kind } };
}
