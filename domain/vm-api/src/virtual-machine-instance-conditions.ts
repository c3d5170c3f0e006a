/** The types of conditions on an instance. */
export const VirtualMachineInstanceConditionType = {
  ready: 'Ready',
  liveMigratable: 'LiveMigratable',
  storageLiveMigratable: 'StorageLiveMigratable',
  paused: 'Paused',
  agentConnected: 'AgentConnected',
  agentVersionNotSupported: 'AgentVersionNotSupported',
  accessCredentialsSynchronized: 'AccessCredentialsSynchronized',
  synchronized: 'Synchronized',
  provisioning: 'Provisioning',
  dataVolumesReady: 'DataVolumesReady',
  hotVcpuChange: 'HotVCPUChange',
  hotMemoryChange: 'HotMemoryChange',
  volumesChange: 'VolumesChange',
  migrationRequired: 'MigrationRequired',
  evictionRequested: 'EvictionRequested',
  softwareEmulation: 'SoftwareEmulation',
  decentralizedLiveMigrationFailure: 'DecentralizedLiveMigrationFailure',
  podScheduled: 'PodScheduled',
} as const;
export type VirtualMachineInstanceConditionType =
  (typeof VirtualMachineInstanceConditionType)[keyof typeof VirtualMachineInstanceConditionType];

/** The reasons of an instance's conditions, by the type of the condition. */
export const VirtualMachineInstanceConditionReason = {
  Ready: {
    podNotExists: 'PodNotExists',
    podTerminating: 'PodTerminating',
    podConditionMissing: 'PodConditionMissing',
    guestNotRunning: 'GuestNotRunning',
  },
  LiveMigratable: {
    disks: 'DisksNotLiveMigratable',
    interface: 'InterfaceNotLiveMigratable',
    hotplug: 'HotplugNotLiveMigratable',
    /** Spelled without "Not" by existing tools. */
    cpuMode: 'CPUModeLiveMigratable',
    virtiofs: 'VirtIOFSNotLiveMigratable',
    hostDevice: 'HostDeviceNotLiveMigratable',
    sev: 'SEVNotLiveMigratable',
    secureExecution: 'SecureExecutionNotLiveMigratable',
    tdx: 'TDXNotLiveMigratable',
    noTscFrequency: 'NoTSCFrequencyNotLiveMigratable',
    hypervPassthrough: 'HypervPassthroughNotLiveMigratable',
    persistentReservation: 'PersistentReservationNotLiveMigratable',
    decentralized: 'DecentralizedNotLiveMigratable',
    notMigratable: 'NotMigratable',
  },
  Paused: {
    byUser: 'PausedByUser',
    ioError: 'PausedIOError',
    byMigrationMonitor: 'PausedByMigrationMonitor',
  },
  Synchronized: { failed: 'Synchronizing with the Domain failed.' },
  DataVolumesReady: { allReady: 'AllDVsReady', notAllReady: 'NotAllDVsReady' },
  VolumesChange: { cancelled: 'VolumesChangeCancellation' },
  MigrationRequired: { liveUpdate: 'AutoMigrationDueToLiveUpdate', pending: 'AutoMigrationPending' },
  EvictionRequested: { requested: 'EvictionRequested' },
} as const;
