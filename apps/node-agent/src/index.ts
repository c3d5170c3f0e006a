export type { AgentContext } from './agent-context.ts';
export { AgentError, isBadSetting, type AgentErrorCode } from './agent-error.ts';
export type { AgentPart } from '@smalt/controller-runtime';
export type { HypervisorView } from './hypervisor-view.ts';
export type { CertificateOptions, LibvirtChoice, NodeAgentOptions } from './node-agent-options.ts';
export type { NodeAgent } from './node-agent.ts';
export {
  agentSettings,
  haAgentSettings,
  type AgentSettings,
  type HaAgentTask,
  type NodeAgentConfig,
  type SettingsSurroundings,
} from './settings/agent-settings.ts';
export type { HaAgentConfig, HaConfig, LogConfig } from './settings/ha-config.ts';
export {
  haAgentFields,
  loadHaAgentConfig,
  loadNodeAgentConfig,
  nodeAgentFields,
} from './settings/load-agent-config.ts';
export { startHaAgent, type HaAgentOptions, type RunningHaAgent } from './start-ha-agent.ts';
export { startNodeAgent } from './start-node-agent.ts';
export type { StatusBoard, StatusStatement } from './status/status-board.ts';
