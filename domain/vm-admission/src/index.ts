export {
  isControlPlane,
  type AdmissionContext,
  type HypervisorRefusal,
  type RefusalsOf,
  type Requester,
} from './admission-context.ts';
export { causesMessage, refusalOfCauses } from './admission-status.ts';
export type { Cause, CauseType } from './cause.ts';
export {
  DEFAULT_CLUSTER_SETTINGS,
  type ArchitectureSettings,
  type ClusterSettings,
  type LiveUpdateSettings,
} from './cluster-settings.ts';
export { defaultInstance } from './defaults/default-instance.ts';
export { keepMacSeed } from './defaults/default-mac-seed.ts';
export { defaultMigration } from './defaults/default-migration.ts';
export { defaultNetwork } from './defaults/default-network.ts';
export { defaultSpec } from './defaults/default-spec.ts';
export type { DefaultingContext } from './defaults/default-step.ts';
export { defaultVirtualMachine, type VirtualMachineDefaulting } from './defaults/default-virtual-machine.ts';
export { defaultVolumeDisks } from './defaults/default-volume-disks.ts';
export { keepStatus } from './defaults/keep-status.ts';
export {
  decidePodEviction,
  evictedInstanceName,
  type EvictedPod,
  type EvictionDecision,
  type PodEviction,
} from './eviction/decide-pod-eviction.ts';
export { isGateOpen, type FeatureGate, type FeatureGateSwitches } from './feature-gates.ts';
export { applyPresets, matchingPresets, presetConflicts } from './presets/apply-presets.ts';
export { validatePreset } from './presets/validate-preset.ts';
export {
  decideConsole,
  decideDisplay,
  decideFreeze,
  decideGuestQuery,
  decidePause,
  decidePortForward,
  decideReset,
  decideSoftReboot,
  decideUnfreeze,
  decideUnpause,
  decideUsbRedirection,
  decideVsock,
} from './subresources/decide-instance-action.ts';
export {
  decideEvacuateCancel,
  decideMigrate,
  type EvacuateCancelOptions,
  type MigrateOptions,
} from './subresources/decide-migrate.ts';
export { decideRestart, type RestartOptions } from './subresources/decide-restart.ts';
export { decideStart, type StartOptions } from './subresources/decide-start.ts';
export { decideStop, type StopOptions } from './subresources/decide-stop.ts';
export { decideAddVolume, decideRemoveVolume, type VolumeOwner } from './subresources/decide-volume.ts';
export type { ObjectPatch, PatchOperation, Refusal, SubresourceDecision } from './subresources/decision.ts';
export { statusOfRefusal } from './subresources/refusal.ts';
export { validateInstanceUpdate } from './validation/instance-update/validate-instance-update.ts';
export { validateMigrationPolicy } from './validation/migration/validate-migration-policy.ts';
export {
  validateMigration,
  validateMigrationUpdate,
  type MigrationAdmission,
} from './validation/migration/validate-migration.ts';
export { validateInstance } from './validation/validate-instance.ts';
export { validatePool } from './validation/validate-pool.ts';
export { validateReplicaSet } from './validation/validate-replica-set.ts';
export { runStrategyOf } from './validation/virtual-machine/run-strategy-of.ts';
export {
  validateVirtualMachine,
  virtualMachineWarnings,
  type VirtualMachineAdmission,
} from './validation/virtual-machine/validate-virtual-machine.ts';
export {
  validateVolumeRequests,
  type VolumeRequestScope,
} from './validation/virtual-machine/validate-volume-requests.ts';
