import type { HypervisorStatus } from '@smalt/fleet-api';

export type AgentField = Exclude<keyof HypervisorStatus, 'conditions'>;

/** The fields of a Hypervisor's status that the agent writes, and may write by the policy of the chart; the others are the operator's. */
export const AGENT_FIELDS: readonly AgentField[] = [
  'allocation',
  'capabilities',
  'capacity',
  'cells',
  'domainCapabilities',
  'effectiveCapacity',
  'hypervisorVersion',
  'instances',
  'libVirtVersion',
  'numInstances',
  'operatingSystem',
  'updateStatus',
];
