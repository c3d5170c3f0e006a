export { holdsOtherClaim } from './attachment/attachment-fit.ts';
export {
  ATTACHMENT_APP,
  buildAttachmentPod,
  isAttachmentPod,
  type Attachment,
  type AttachmentPod,
} from './attachment/build-attachment-pod.ts';
export type { Claims, OwnerChange } from './claims/decide-claims.ts';
export {
  findCondition,
  timeText,
  withCondition,
  withoutCondition,
  type Conditions,
  type ConditionValue,
  type StatusCondition,
} from './conditions/conditions.ts';
export { evacuationDelayMs } from './evacuation/evacuation-delay.ts';
export {
  planEvacuation,
  type EvacuationAction,
  type EvacuationFacts,
  type EvacuationPlan,
} from './evacuation/plan-evacuation.ts';
export { currentPod, decideInstance } from './instance/decide-instance.ts';
export { judgeLoss, possibleNodes, type Loss, type LossFacts } from './instance/fence-proof.ts';
export type { InstanceAction, InstanceDecision, InstanceFacts, InstanceStorage } from './instance/instance-facts.ts';
export { isHandled, placeTests, type InstanceWrite, type PatchOperation } from './instance/instance-write.ts';
export { judgeLiveMigratable, type Migratability, type MigratabilityFacts } from './instance/judge-live-migratable.ts';
export {
  isTargetPod,
  podState,
  UNPAUSED_GATE,
  type ContainerStatus,
  type ObservedPod,
  type ObservedPodStatus,
  type PodState,
} from './instance/launcher-pod-state.ts';
export {
  buildLauncherPod,
  graceSeconds,
  type LauncherContainer,
  type LauncherPod,
  type LauncherPodSpec,
} from './launcher-pod/build-launcher-pod.ts';
export { guestMemoryBytes, virtualProcessorCount } from './launcher-pod/guest-size.ts';
export { hostnameOf, launcherName } from './launcher-pod/launcher-metadata.ts';
export { launcherResources, type LauncherResources } from './launcher-pod/launcher-resources.ts';
export type { LauncherDriver, LauncherSettings } from './launcher-pod/launcher-settings.ts';
export {
  KERNEL_VOLUME,
  type LauncherVolumes,
  type PodVolume,
  type VolumeMount,
} from './launcher-pod/launcher-volumes.ts';
export { isInvalidQuantity, LifecycleError, type LifecycleErrorCode } from './lifecycle-error.ts';
export { buildTargetPod, type TargetFacts } from './migration/build-target-pod.ts';
export { chooseMigrations, isFinalMigration, type QueueFacts } from './migration/choose-migrations.ts';
export {
  choosePolicy,
  type ChosenSettings,
  type MigrationPolicy,
  type PolicyFacts,
} from './migration/choose-policy.ts';
export { isLeftHandedOver } from './migration/decide-migration-phase.ts';
export { decideMigration } from './migration/decide-migration.ts';
export { forgettableMigrations } from './migration/forget-migrations.ts';
export { isMigrating } from './migration/is-migrating.ts';
export {
  completionSeconds,
  judgeProgress,
  type BestProgress,
  type ProgressFacts,
  type ProgressStep,
} from './migration/judge-progress.ts';
export type {
  MigrationAction,
  MigrationDecision,
  MigrationEvent,
  MigrationFacts,
} from './migration/migration-facts.ts';
export { MigrationSightings, type MigrationSighting } from './migration/migration-sightings.ts';
export { MIGRATION_DEFAULTS, migrationSettings, type MigrationSettings } from './migration/migration-settings.ts';
export { decideNode, type NodeDecision } from './node/decide-node.ts';
export {
  fenceNote,
  fenceProofOf,
  isProvenOff,
  isStillOff,
  noFenceNote,
  seenNode,
  type FenceProof,
  type NodeBoot,
  type SeenNode,
} from './node/fence-note.ts';
export { HeartbeatSightings, type HeartbeatSighting } from './node/heartbeat-sightings.ts';
export { HEARTBEAT_TIMEOUT_MS, judgeHeartbeat, type Listening, type NodeHealth } from './node/judge-heartbeat.ts';
export { NodeLabelPrefix, OBSOLETE_HOST_MODEL_LABEL, SKIP_NODE_ANNOTATION } from './node/node-label-names.ts';
export {
  DEVICE_SLOTS,
  nodeDevices,
  planNodeLabels,
  type DriverAbility,
  type HostModel,
  type NodeAbilities,
} from './node/plan-node-labels.ts';
export { decidePool, type PoolAction, type PoolDecision } from './pool/decide-pool.ts';
export type { PoolFacts } from './pool/pool-facts.ts';
export { releaseMachines } from './pool/release-machines.ts';
export { claimInstances } from './replica-set/claim-instances.ts';
export {
  decideReplicaSet,
  type ReplicaSetAction,
  type ReplicaSetDecision,
  type ReplicaSetFacts,
} from './replica-set/decide-replica-set.ts';
export { decideVirtualMachine } from './virtual-machine/decide-virtual-machine.ts';
export { GENERATION_ANNOTATION, instanceOf } from './virtual-machine/instance-of.ts';
export type { LiveChange } from './virtual-machine/live-update.ts';
export { revisionGeneration, revisionName, revisionPrefix } from './virtual-machine/revision-name.ts';
export { runStrategyOf } from './virtual-machine/run-strategy.ts';
export { startDelaySeconds } from './virtual-machine/start-failure.ts';
export type {
  StorageFacts,
  VirtualMachineAction,
  VirtualMachineDecision,
  VirtualMachineFacts,
} from './virtual-machine/virtual-machine-facts.ts';
