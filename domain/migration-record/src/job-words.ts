/** What a job of libvirt is like, by its number. */
const JOB_TYPES = ['none', 'bounded', 'unbounded', 'completed', 'failed', 'cancelled'] as const;
const OPERATIONS = [
  'unknown',
  'start',
  'save',
  'restore',
  'migration_in',
  'migration_out',
  'snapshot',
  'snapshot_revert',
  'dump',
  'backup',
  'snapshot_delete',
] as const;

export type JobType = (typeof JOB_TYPES)[number];
export type JobOperation = (typeof OPERATIONS)[number];

/** The word for a job type; `none` for numbers that mean nothing. */
export function jobTypeWord(type: number): JobType {
  return JOB_TYPES[type] ?? 'none';
}

/** The word for the `operation` of a job; `unknown` for numbers that mean nothing. */
export function operationWord(operation: number): JobOperation {
  return OPERATIONS[operation] ?? 'unknown';
}
