export { defaultHealthSettings, type HealthSettings } from './health-settings.ts';
export { wallTime } from './format-time.ts';
export { emptyMemory, type HealthMemory } from './health-memory.ts';
export { inheritStatus } from './inherit-status.ts';
export { isIssueRule, IssueRule, issueRules } from './issue-rule.ts';
export { judgeSwitch, type Judgement, type JudgementInput } from './judge-switch.ts';
export { memoryFromStatus } from './memory-from-status.ts';
export { readOvnSettings, type OvnSettings } from './ovn-settings.ts';
export { switchTopology, type BondAnswer, type BondMembers } from './status/switch-topology.ts';
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
  SouthboundAnswer,
  SouthboundFacts,
  SouthboundObstacle,
  StaleFlowFacts,
  SwitchConfiguration,
  SwitchFacts,
} from './switch-facts.ts';
