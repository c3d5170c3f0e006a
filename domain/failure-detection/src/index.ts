export { adoptIncident } from './incident/adopt-incident.ts';
export { Brake, checkFleetBrakes, checkHostBrakes, type Refusal, type ServiceView } from './judgement/check-brakes.ts';
export { decideReturn, type ReturnStep, type ReturnView } from './decide-return.ts';
export {
  defaultDetectionSettings,
  type BrakeSettings,
  type DetectionSettings,
  type JudgementSettings,
  type RecoverySettings,
  type ReturnSettings,
} from './detection-settings.ts';
export {
  readSignal,
  SignalSource,
  type HostSignal,
  type SignalRule,
  type SignalState,
} from './judgement/host-signal.ts';
export { isReboot, type BootReport, type HostView } from './judgement/host-view.ts';
export type {
  ComputeFacts,
  ComputeGap,
  EvacuationRecord,
  IncidentAction,
  IncidentFacts,
  LeftInstance,
  LostInstance,
  NextSteps,
  PersonDecision,
  RecoveryPlan,
  RequestAnswer,
  ReservedHostFact,
} from './incident/incident-facts.ts';
export {
  IncidentState,
  holdsHost,
  isOver,
  openIncident,
  RebuildState,
  WaitReason,
  type CleanUp,
  type FenceAttempt,
  type HeardWord,
  type Incident,
  type IncidentWait,
  type NewIncident,
  type OffProof,
  type PowerReading,
  type PutOff,
  type RebuildRecord,
  type ReservedHostUse,
} from './incident/incident.ts';
export {
  judgeFleet,
  refuseBeside,
  type Condemned,
  type FleetJudgement,
  type FleetView,
  type OpenIncident,
  type Verdict,
} from './judgement/judge-fleet.ts';
export { judgeHost, lastLifeAt, signalStates, watchedSince, type SourceState } from './judgement/judge-host.ts';
export type { Judgement } from './judgement/judgement.ts';
export { newRebuild } from './rebuild/new-rebuild.ts';
export { nextSteps } from './incident/next-steps.ts';
export { settingsProblems } from './settings-problems.ts';
