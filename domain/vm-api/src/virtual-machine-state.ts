/** When a virtual machine runs. */
export const RunStrategy = {
  always: 'Always',
  halted: 'Halted',
  manual: 'Manual',
  rerunOnFailure: 'RerunOnFailure',
  once: 'Once',
  waitAsReceiver: 'WaitAsReceiver',
} as const;
export type RunStrategy = (typeof RunStrategy)[keyof typeof RunStrategy];

/** What a drain of its node does to an instance. */
export const EvictionStrategy = {
  none: 'None',
  liveMigrate: 'LiveMigrate',
  liveMigrateIfPossible: 'LiveMigrateIfPossible',
  external: 'External',
} as const;
export type EvictionStrategy = (typeof EvictionStrategy)[keyof typeof EvictionStrategy];

/** The state of a virtual machine for people. */
export const PrintableStatus = {
  stopped: 'Stopped',
  provisioning: 'Provisioning',
  starting: 'Starting',
  running: 'Running',
  paused: 'Paused',
  stopping: 'Stopping',
  terminating: 'Terminating',
  crashLoopBackOff: 'CrashLoopBackOff',
  migrating: 'Migrating',
  unknown: 'Unknown',
  unschedulable: 'ErrorUnschedulable',
  errImagePull: 'ErrImagePull',
  imagePullBackOff: 'ImagePullBackOff',
  pvcNotFound: 'ErrorPvcNotFound',
  dataVolumeError: 'DataVolumeError',
  waitingForVolumeBinding: 'WaitingForVolumeBinding',
  waitingForReceiver: 'WaitingForReceiver',
} as const;
export type PrintableStatus = (typeof PrintableStatus)[keyof typeof PrintableStatus];

/** The types of conditions that a virtual machine has beside those of its instance. */
export const VirtualMachineConditionType = {
  ready: 'Ready',
  failure: 'Failure',
  restartRequired: 'RestartRequired',
  manualRecoveryRequired: 'ManualRecoveryRequired',
} as const;
export type VirtualMachineConditionType =
  (typeof VirtualMachineConditionType)[keyof typeof VirtualMachineConditionType];

/** The types of conditions on a replica set and on a pool. */
export const ReplicaSetConditionType = { replicaFailure: 'ReplicaFailure', replicaPaused: 'ReplicaPaused' } as const;
export type ReplicaSetConditionType = (typeof ReplicaSetConditionType)[keyof typeof ReplicaSetConditionType];

/** In which order the machines of a pool are deleted or restarted. */
export const PoolSortPolicy = {
  ascending: 'AscendingOrder',
  descending: 'DescendingOrder',
  newest: 'Newest',
  oldest: 'Oldest',
  random: 'Random',
} as const;
export type PoolSortPolicy = (typeof PoolSortPolicy)[keyof typeof PoolSortPolicy];
