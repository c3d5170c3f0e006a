export { isBadSetting, OvsAgentError, type OvsAgentErrorCode } from './ovs-agent-error.ts';
export type { AgentTimes, OvsAgentOptions, SouthboundOptions } from './ovs-agent-options.ts';
export type { OvsAgent } from './ovs-agent.ts';
export { loadOvsAgentConfig, ovsAgentFields } from './settings/load-ovs-agent-config.ts';
export type { OvsAgentConfig } from './settings/ovs-agent-config.ts';
export { ovsAgentSettings, type OvsAgentSettings, type SettingsSurroundings } from './settings/ovs-agent-settings.ts';
export { startOvsAgent } from './start/start-ovs-agent.ts';
export type { SwitchAccess, SwitchDaemon } from './switch-access.ts';
export { TROUBLESHOOTING_DEFAULTS } from './troubleshoot/troubleshooting-settings.ts';
