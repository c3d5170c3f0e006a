export { HaAgentError, isHaAgentError, type HaAgentErrorCode } from './ha-agent-error.ts';
export { createHaAgent, type HaAgent } from './ha-agent.ts';
export type { HaAgentDeps, HaNotice } from './ha-agent-deps.ts';
export type { HaAgentSettings, HaIdentity, HaServiceSettings } from './ha-agent-settings.ts';
