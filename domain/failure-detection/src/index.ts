export { adoptIncident } from './adopt-incident.ts';
export {
  Brake,
  checkFleetBrakes,
  checkHostBrakes,
  type FleetCount,
  type Refusal,
  type ServiceView,
} from './check-brakes.ts';
export { decideReturn, type ReturnStep, type ReturnView } from './decide-return.ts';
export {
  defaultDetectionSettings,
  type BrakeSettings,
  type DetectionSettings,
  type JudgementSettings,
  type RecoverySettings,
  type ReturnSettings,
} from './detection-settings.ts';
export { readSignal, SignalSource, type HostSignal, type SignalRule, type SignalState } from './host-signal.ts';
export { isReboot, type BootReport, type HostView } from './host-view.ts';
export type {
  ComputeFacts,
  EvacuationRecord,
  IncidentAction,
  IncidentFacts,
  LostInstance,
  NextSteps,
  PersonDecision,
  RecoveryPlan,
  RequestAnswer,
  ReservedHostFact,
} from './incident-facts.ts';
export {
  IncidentState,
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
} from './incident.ts';
export {
  judgeFleet,
  type Condemned,
  type FleetJudgement,
  type FleetView,
  type OpenIncident,
  type Verdict,
} from './judge-fleet.ts';
export { judgeHost, lastLifeAt } from './judge-host.ts';
export type { Judgement } from './judgement.ts';
export { nextSteps } from './next-steps.ts';
export { settingsProblems } from './settings-problems.ts';
