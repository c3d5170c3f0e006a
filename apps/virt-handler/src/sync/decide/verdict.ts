import { VirtualMachineInstancePhase as Phase } from '@smalt/vm-api';

/** How an instance ended: its last phase, one word why, and a sentence for people. */
export interface Verdict {
  readonly phase: typeof Phase.succeeded | typeof Phase.failed;
  readonly reason: VerdictReason;
  readonly message: string;
  /** The migration that it was lost in, if it was. */
  readonly migrationUid?: string;
}

export type VerdictReason =
  | 'GuestShutDown'
  | 'GuestDestroyed'
  | 'GuestCrashed'
  | 'GuestStopped'
  | 'GracePeriodExpired'
  | 'DeletedBeforeStart'
  | 'DomainGone'
  | 'EndUnknown'
  | 'LauncherGone'
  | 'LostInMigration'
  | 'NodeRebooted'
  | 'InvalidInstance';

export function succeeded(reason: VerdictReason, message: string): Verdict {
  return { phase: Phase.succeeded, reason, message };
}

export function failed(reason: VerdictReason, message: string): Verdict {
  return { phase: Phase.failed, reason, message };
}
