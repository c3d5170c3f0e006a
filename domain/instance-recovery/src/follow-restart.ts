import type { InstanceFacts } from './instance-facts.ts';
import type { InstanceRecoverySettings } from './instance-recovery-settings.ts';
import { objectToRecovery } from './object-to-recovery.ts';
import type { RecoveryRecord } from './recovery-record.ts';
import { drop, giveUp, stay, type NextRecovery } from './recovery-step.ts';

/** Follows a restart by what the instance does, for the answer may be lost. It is never asked for twice at a time. */
export function followRestart(
  record: RecoveryRecord,
  facts: InstanceFacts,
  settings: InstanceRecoverySettings,
  now: number,
): NextRecovery {
  const { name, state, stateText, answer } = facts;
  const askedAt = record.askedAt ?? now;
  const hasStarted = record.startedAt !== undefined && record.startedAt >= askedAt;
  if (isUnderWay(state)) {
    if (now - askedAt < settings.actionTimeoutMs) return stay(record, `${name} is being restarted`);
    return giveUp(record, `${name} is ${stateText} since it was restarted; look at it in the compute system`);
  }
  // Not before what it does: a request that got no answer in time may have been taken all the same.
  if (answer?.isTaken === false && !hasStarted) {
    return failedOnce(record, `its restart was not done: ${answer.message}`, now);
  }
  if (state === 'running') {
    if (hasStarted && record.trouble === undefined) return drop(record, `${name} runs again`);
    if (hasStarted) return { record: { ...record, state: 'watching', askedAt: undefined }, action: undefined };
    if (now - askedAt < settings.graceMs) return stay(record, `${name} is being restarted`);
    // Nobody saw it start. If it did not, what told of its trouble tells it again.
    return drop(record, `${name} is called running, but nobody saw it start`);
  }
  const objection = objectToRecovery(facts, record.trouble);
  if (objection?.kind === 'drop') return drop(record, `${name} ${objection.message}`);
  if (state === 'stopped' && !hasStarted && now - askedAt < settings.graceMs) {
    return stay(record, `${name} is not started yet`);
  }
  if (state === 'failed' && now - askedAt < settings.settleMs) return stay(record, `${name} is being restarted`);
  return failedOnce(record, `it is ${stateText} after its restart`, now);
}

function isUnderWay(state: InstanceFacts['state']): boolean {
  return state === 'busy' || state === 'building' || state === 'moving' || state === 'unconfirmed';
}

/** The trouble goes on, and the next look decides what else may be tried. */
function failedOnce(record: RecoveryRecord, why: string, now: number): NextRecovery {
  const { kind = 'crashed', hasEnded = true } = record.trouble ?? {};
  const trouble = { kind, at: now, why, hasEnded };
  return { record: { ...record, state: 'watching', askedAt: undefined, trouble, message: why }, action: undefined };
}
