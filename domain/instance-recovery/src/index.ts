export { adoptRecovery } from './adopt-recovery.ts';
export { tellsTrouble } from './hear-events.ts';
export type { HostRebootEvent, InstanceEvent } from './instance-event.ts';
export type { InstanceFacts, RecoveryAnswer } from './instance-facts.ts';
export {
  defaultInstanceRecoverySettings,
  instanceRecoveryProblems,
  type InstanceRecoverySettings,
} from './instance-recovery-settings.ts';
export { nextRecovery, takeInGoodNews } from './next-recovery.ts';
export { isQuiet, RecoveryState, TroubleKind, type RecoveryRecord, type Trouble } from './recovery-record.ts';
export type { NextRecovery, RecoveryAction } from './recovery-step.ts';
