/** The agents that are measured, ours first. */
const AGENT_NAMES = ['smalt', 'go'] as const;

export type AgentName = (typeof AGENT_NAMES)[number];

export const AGENT_TITLES: Readonly<Record<AgentName, string>> = {
  smalt: 'smalt node-agent',
  go: 'kvm-node-agent (Go)',
};
