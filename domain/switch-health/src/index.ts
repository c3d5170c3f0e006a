export { defaultHealthSettings, type HealthSettings } from './health-settings.ts';
export { emptyMemory, type HealthMemory } from './health-memory.ts';
export { isIssueRule, IssueRule, issueRules } from './issue-rule.ts';
export { judgeSwitch, type Judgement, type JudgementInput } from './judge-switch.ts';
export { memoryFromStatus } from './memory-from-status.ts';
export { findIntegrationBridge, integrationBridgeName } from './integration-bridge.ts';
export { isPhysical } from './status/physical-interfaces.ts';
export type {
  Answer,
  BondFacts,
  BridgeFacts,
  ControllerFacts,
  DaemonFacts,
  DatabaseFacts,
  FlowTableFacts,
  InterfaceFacts,
  MirrorFacts,
  OvnFacts,
  PortFacts,
  SouthboundFacts,
  StaleFlowFacts,
  SwitchConfiguration,
  SwitchFacts,
} from './switch-facts.ts';
