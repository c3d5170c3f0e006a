import type { InstanceFacts } from './instance-facts.ts';
import type { InstanceRecoverySettings } from './instance-recovery-settings.ts';
import { objectToRecovery } from './object-to-recovery.ts';
import type { RecoveryRecord, Trouble } from './recovery-record.ts';
import { drop, giveUp, stay, type NextRecovery } from './recovery-step.ts';

/** Decides about trouble that nothing is being done about: in place first, then elsewhere, then a person. */
export function considerTrouble(
  record: RecoveryRecord,
  facts: InstanceFacts,
  settings: InstanceRecoverySettings,
  now: number,
): NextRecovery {
  const { trouble } = record;
  if (trouble === undefined) return { record, action: undefined };
  const { name } = facts;
  const objection = objectToRecovery(facts, trouble);
  if (objection?.kind === 'drop') return drop(record, `${name} ${objection.message}`);
  if (objection !== undefined) {
    const isOld = now - trouble.at > settings.maximumEventAgeMs;
    return isOld ? drop(record, `${name} could not be helped in time`) : stay(record, `${name} ${objection.message}`);
  }
  const startsAt = Math.max(settledAt(trouble, settings), restAt(record, settings));
  if (now < startsAt) return stay(record, `${name} is ${trouble.kind} (${trouble.why}); it is left alone until then`);
  if (facts.othersUnderWay >= settings.maximumAtOnce) {
    return stay(record, `${name} waits: ${facts.othersUnderWay} others are being recovered`);
  }
  return act(record, trouble, { name, settings, now });
}

interface Act {
  readonly name: string;
  readonly settings: InstanceRecoverySettings;
  readonly now: number;
}

function act(record: RecoveryRecord, trouble: Trouble, { name, settings, now }: Act): NextRecovery {
  const { restarts, moves } = record;
  const what = `${name} is ${trouble.kind} (${trouble.why})`;
  if (restarts.length < settings.maximumRestarts) {
    const message = `${what}; restart ${restarts.length + 1} of ${settings.maximumRestarts} is asked for`;
    return {
      record: { ...record, state: 'restarting', askedAt: now, restarts: [...restarts, now], message },
      action: { kind: 'restart' },
    };
  }
  if (settings.mayMove && moves.length === 0) {
    const message = `${what} after ${restarts.length} restarts; a move to another host is asked for`;
    return {
      record: { ...record, state: 'moving', askedAt: now, moves: [now], message },
      action: { kind: 'move' },
    };
  }
  const tried = `${restarts.length} restarts and ${moves.length} moves within ${settings.windowMs} ms`;
  return giveUp(record, `${what} after ${tried}; look at its console and its host, then start it`);
}

function settledAt({ kind, at }: Trouble, { settleMs, stallMs }: InstanceRecoverySettings): number {
  return at + (kind === 'stalled' ? stallMs : settleMs);
}

/** Each restart in a row is followed by a longer rest. */
function restAt({ restarts }: RecoveryRecord, { backOffMs }: InstanceRecoverySettings): number {
  const last = restarts.at(-1);
  return last === undefined ? 0 : last + backOffMs * 2 ** (restarts.length - 1);
}
