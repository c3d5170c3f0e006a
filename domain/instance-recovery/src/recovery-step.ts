import type { RecoveryRecord } from './recovery-record.ts';

/** What is asked of the compute system. Each may be asked for once more without harm. */
export type RecoveryAction =
  /** Starts it anew where it is. */
  | { readonly kind: 'restart' }
  /** Asks for a cold move; the compute system chooses where. */
  | { readonly kind: 'move' }
  | { readonly kind: 'confirm-move' }
  /** Starts it on the host that it was moved to. */
  | { readonly kind: 'start' };

export interface NextRecovery {
  /** What is to be saved before the action; undefined when there is nothing to remember. */
  readonly record: RecoveryRecord | undefined;
  readonly action: RecoveryAction | undefined;
  /** Why trouble that was told of is not followed any further; left out while it is, and where there was none. */
  readonly dropped?: string;
}

/** It goes on as it is; the sentence says why. */
export function stay(record: RecoveryRecord, message: string): NextRecovery {
  return { record: record.message === message ? record : { ...record, message }, action: undefined };
}

/** Nothing is wrong any more, or it is not ours to mend. */
export function drop(record: RecoveryRecord, message: string): NextRecovery {
  return {
    record: { ...record, state: 'watching', trouble: undefined, askedAt: undefined, message },
    action: undefined,
  };
}

/** A person is called. */
export function giveUp(record: RecoveryRecord, message: string): NextRecovery {
  return { record: { ...record, state: 'failed', askedAt: undefined, message }, action: undefined };
}
