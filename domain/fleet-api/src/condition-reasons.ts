/** The reasons of a Hypervisor's conditions, by the type of the condition. They are part of the API. */
export const HypervisorConditionReason = {
  Ready: {
    ready: 'Ready',
    offboarded: 'Offboarded',
    terminating: 'Terminating',
    onboarding: 'Onboarding',
    evicting: 'Evicting',
    evicted: 'Evicted',
    maintenance: 'Maintenance',
    libvirtUnreachable: 'LibvirtUnreachable',
    networkUnhealthy: 'NetworkUnhealthy',
    disabled: 'Disabled',
    notRegistered: 'NotRegistered',
  },
  Onboarding: {
    initial: 'Initial',
    testing: 'Testing',
    handover: 'Handover',
    succeeded: 'Succeeded',
    aborted: 'Aborted',
  },
  Offboarded: { offboarding: 'Offboarding', offboarded: 'Offboarded' },
  Terminating: { terminating: 'Terminating' },
  Tainted: { kubectl: 'Kubectl', noKubectl: 'NoKubectl' },
  TraitsUpdated: { succeeded: 'Succeeded', failed: 'Failed' },
  AggregatesUpdated: {
    succeeded: 'Succeeded',
    testAggregates: 'TestAggregates',
    waitingForTraits: 'WaitingForTraits',
    evictionInProgress: 'EvictionInProgress',
    terminating: 'Terminating',
    failed: 'Failed',
  },
  AgentPodsEvicted: { noAgentPods: 'NoAgentPods', agentPodsRunning: 'AgentPodsRunning' },
  HypervisorDisabled: {
    succeeded: 'Succeeded',
    failed: 'Failed',
    disabledElsewhere: 'DisabledElsewhere',
    notRegistered: 'NotRegistered',
  },
  Evicting: { running: 'Running', succeeded: 'Succeeded', failed: 'Failed' },
  HaEnabled: { succeeded: 'Succeeded', evicted: 'Evicted', onboarding: 'Onboarding', failed: 'Failed' },
  'libvirtd.service': { running: 'Running', stopped: 'Stopped', failed: 'Failed' },
  'openvswitch-switch.service': { running: 'Running', stopped: 'Stopped', failed: 'Failed' },
  LibVirtConnection: {
    connected: 'Connected',
    libvirtServiceNotRunning: 'LibVirtServiceNotRunning',
    connectFailed: 'ConnectFailed',
    processFailed: 'ProcessFailed',
  },
  OperatingSystemUpdate: { running: 'Running', completed: 'Completed', stopped: 'Stopped' },
  TLSCertificateInstalled: {
    installing: 'Installing',
    failedToUpdateTlsCertificate: 'FailedToUpdateTLSCertificate',
    failedToStartUpdateTlsService: 'FailedToStartUpdateTLSService',
    ready: 'Ready',
  },
} as const;

/** The reasons of an Eviction's conditions, by the type of the condition. */
export const EvictionConditionReason = {
  Evicting: { running: 'Running', succeeded: 'Succeeded', failed: 'Failed' },
  PreflightChecksSucceeded: { succeeded: 'Succeeded', failed: 'Failed' },
  MigratingInstance: { running: 'Running', succeeded: 'Succeeded', failed: 'Failed' },
} as const;

/**
 * What the HA service begins the messages of its conditions with. Others close hosts too: by these words it is told apart that
 * a host was declared dead, so that to change them is a change of the API.
 */
export const HIGH_AVAILABILITY_WORDS = 'high availability:';
