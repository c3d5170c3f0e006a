import { VirtualMachineInstancePhase as Phase, type VirtualMachineInstance } from '@smalt/vm-api';

/** How an instance ended: its last phase, one word why, and a sentence for people. */
export interface Verdict {
  readonly phase: typeof Phase.succeeded | typeof Phase.failed;
  readonly reason: VerdictReason;
  readonly message: string;
  /** The migration that it was lost in, if it was; an earlier version did not write which. */
  readonly migrationUid?: string;
}

/** Whether a verdict is about an instance as it is now: one that was lost in an earlier migration has gone on since. */
export function isAbout({ migrationUid }: Verdict, { status }: VirtualMachineInstance): boolean {
  return migrationUid === undefined || migrationUid === status?.migrationState?.migrationUid;
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
