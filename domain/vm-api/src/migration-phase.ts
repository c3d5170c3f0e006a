/** Where a migration is in its life. */
export const MigrationPhase = {
  unset: '',
  pending: 'Pending',
  scheduling: 'Scheduling',
  scheduled: 'Scheduled',
  preparingTarget: 'PreparingTarget',
  targetReady: 'TargetReady',
  running: 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
  waitingForSync: 'WaitingForSync',
  synchronizing: 'Synchronizing',
} as const;
export type MigrationPhase = (typeof MigrationPhase)[keyof typeof MigrationPhase];

/** The types of conditions on a migration. */
export const MigrationConditionType = {
  abortRequested: 'migrationAbortRequested',
  rejectedByResourceQuota: 'migrationRejectedByResourceQuota',
  blockedByUtilityVolumes: 'migrationBlockedByUtilityVolumes',
  decentralizedBlocked: 'decentralizedMigrationBlocked',
  blockedByBackup: 'migrationBlockedByBackup',
} as const;
export type MigrationConditionType = (typeof MigrationConditionType)[keyof typeof MigrationConditionType];

/** How memory gets to the target. */
export const MigrationMode = { preCopy: 'PreCopy', postCopy: 'PostCopy', paused: 'Paused' } as const;
export type MigrationMode = (typeof MigrationMode)[keyof typeof MigrationMode];

/** How giving up a migration went. */
export const MigrationAbortStatus = { succeeded: 'Succeeded', failed: 'Failed', inProgress: 'Aborting' } as const;
export type MigrationAbortStatus = (typeof MigrationAbortStatus)[keyof typeof MigrationAbortStatus];

/** Whether disks are sent along. */
export const MigrationMethod = { live: 'LiveMigration', block: 'BlockMigration' } as const;
export type MigrationMethod = (typeof MigrationMethod)[keyof typeof MigrationMethod];
