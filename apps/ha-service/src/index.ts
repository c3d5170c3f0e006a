export { HaServiceError, isBadSettings, isLeadLost, type HaServiceErrorCode } from './ha-service-error.ts';
export type { EngineSettings } from './engine/engine-settings.ts';
export { runEngine } from './engine/run-engine.ts';
export type { ClusterHost, ClusterPort, ClusterView } from './ports/cluster-port.ts';
export type { EnginePorts, HaCompute } from './ports/engine-ports.ts';
export type { DocumentStore, HaStore, HostRecord, HostStore, ServiceSwitches, TaskDocument } from './ports/ha-store.ts';
export {
  JournalKind,
  type IncidentFilter,
  type IncidentStore,
  type JournalEntry,
  type JournalFilter,
  type JournalStore,
  type NewDecision,
  type StoredDecision,
  type StoredJournalEntry,
} from './ports/incident-store.ts';
export type { PowerPort } from './ports/power-port.ts';
export type { ServiceClock } from './ports/service-clock.ts';
export type {
  ArrivedBatch,
  HostReport,
  ReportedInstances,
  SignalChanges,
  SignalRecord,
  SignalSample,
  SignalStore,
  StoredEvent,
  TelemetryStore,
} from './ports/telemetry-store.ts';
export type { HaServiceSettings } from './settings/ha-service-settings.ts';
export { parseSettings } from './settings/parse-settings.ts';
export { FIXED_SETTINGS } from './settings/plan-reload.ts';
export { SettingsFile } from './settings/settings-file.ts';
export { settingLines, settingsHelp } from './settings/settings-help.ts';
export type { SettingLine } from './settings/shape/shape.ts';
export { backUpStore } from './start/back-up-store.ts';
export { fileProblems } from './start/file-problems.ts';
export type { HaService, HaServiceOptions } from './start/ha-service-options.ts';
export { startHaService } from './start/start-ha-service.ts';
export type { TelemetryEndpoint } from './start/telemetry-endpoint.ts';
export type { DurableHaStore, PruneCounts, RebuildFilter, RebuildRow } from './store/durable-ha-store.ts';
export type { ContractBed, ContractCase } from './store/fixtures/contract-case.ts';
export { haStoreContract } from './store/fixtures/ha-store-contract.ts';
export { openHaStore, type HaStoreOptions } from './store/open-ha-store.ts';
