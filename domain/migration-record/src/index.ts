export { advanceWatch, type Sighting, type WatchEffect, type WatchStep } from './advance-watch.ts';
export { formatBytes } from './format-bytes.ts';
export { formatGoDuration, parseGoDuration } from './go-duration.ts';
export { progressFields, type JobStats, type ProgressFields } from './job-progress.ts';
export { jobTypeWord, operationWord, type JobOperation, type JobType } from './job-words.ts';
export { joinAccounts } from './join-statuses.ts';
export { observedStatus, type MigrationResult, type MigrationRole, type Observation } from './observation.ts';
export { placeObservation, type Placement, type PlacementContext } from './place-observation.ts';
export { areOfOthers, isOfHost } from './record-hosts.ts';
export {
  expiresAtMs,
  keptRecordNames,
  labelValue,
  RecordAnnotation,
  RecordLabel,
  recordLabels,
} from './record-identity.ts';
export { observationOf, resumeWatch, type Moment, type Watch } from './watch.ts';
