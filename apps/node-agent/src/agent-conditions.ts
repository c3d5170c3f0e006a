import { HypervisorConditionType } from '@smalt/fleet-api';

import { HYPERVISOR_UNITS } from './units/units-part.ts';

/** The conditions of a Hypervisor that are the agent's, also by the policy of the chart. Those of an earlier run stay until their part has spoken. */
export const AGENT_CONDITIONS: readonly string[] = [
  HypervisorConditionType.libvirtConnection,
  HypervisorConditionType.operatingSystemUpdate,
  HypervisorConditionType.tlsCertificateInstalled,
  'EvacuateOnReboot',
  'HaAgent',
  ...HYPERVISOR_UNITS,
];
