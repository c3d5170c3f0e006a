export { decideReport, isReportedDomain, reportedInstances, type ReportDecision } from './decide-report.ts';
export { lifecycleWords } from './lifecycle-words.ts';
export { matchesPattern } from './matches-pattern.ts';
export { parseAnswer, parseRefusal } from './parse-answer.ts';
export { parseBatch } from './parse-batch.ts';
export {
  defaultReportSettings,
  parseReportSettings,
  type EventSettings,
  type GuestPingSettings,
  type ReportSettings,
} from './report-settings.ts';
export { isTelemetryError, TelemetryError, type TelemetryErrorCode } from './telemetry-error.ts';
export { telemetryLimits } from './telemetry-limits.ts';
export {
  telemetryEventKinds,
  type GapReason,
  type GapRecord,
  type GuestPingState,
  type InstancesReport,
  type MissedReason,
  type MissedRecord,
  type TelemetryAnswer,
  type TelemetryBatch,
  type TelemetryContent,
  type TelemetryDomain,
  type TelemetryEvent,
  type TelemetryEventKind,
  type TelemetryInstance,
  type TelemetryRecord,
  type TelemetryRefusal,
  type UptimeReport,
} from './telemetry-record.ts';
