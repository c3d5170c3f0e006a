/** The types of conditions on a Hypervisor. */
export const HypervisorConditionType = {
  ready: 'Ready',
  onboarding: 'Onboarding',
  offboarded: 'Offboarded',
  terminating: 'Terminating',
  tainted: 'Tainted',
  traitsUpdated: 'TraitsUpdated',
  aggregatesUpdated: 'AggregatesUpdated',
  agentPodsEvicted: 'AgentPodsEvicted',
  hypervisorDisabled: 'HypervisorDisabled',
  /** Declared by existing tools; nothing sets it. */
  hypervisorReEnabled: 'HypervisorReEnabled',
  evicting: 'Evicting',
  haEnabled: 'HaEnabled',
  libvirtService: 'libvirtd.service',
  openVSwitchService: 'openvswitch-switch.service',
  libvirtConnection: 'LibVirtConnection',
  operatingSystemUpdate: 'OperatingSystemUpdate',
  tlsCertificateInstalled: 'TLSCertificateInstalled',
} as const;
export type HypervisorConditionType = (typeof HypervisorConditionType)[keyof typeof HypervisorConditionType];

/** The types of conditions on an Eviction. */
export const EvictionConditionType = {
  evicting: 'Evicting',
  preflightChecksSucceeded: 'PreflightChecksSucceeded',
  migratingInstance: 'MigratingInstance',
} as const;
export type EvictionConditionType = (typeof EvictionConditionType)[keyof typeof EvictionConditionType];
