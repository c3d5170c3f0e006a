/** Labels, annotations and finalizers that existing tools look for. */
export const WellKnownName = {
  appLabel: 'kubevirt.io',
  createdByLabel: 'kubevirt.io/created-by',
  domainAnnotation: 'kubevirt.io/domain',
  nodeNameLabel: 'kubevirt.io/nodeName',
  migrationJobLabel: 'kubevirt.io/migrationJobUID',
  migrationNameLabel: 'kubevirt.io/migrationName',
  migrationTargetNodeNameLabel: 'kubevirt.io/migrationTargetNodeName',
  migrationSelectorLabel: 'kubevirt.io/vmi-name',
  evacuationMigrationAnnotation: 'kubevirt.io/evacuationMigration',
  /** On machines of a pool, and in their templates: which state of the pool they were made from. */
  poolRevisionLabel: 'kubevirt.io/vm-pool-revision-name',
  /** On a machine of a pool: a fingerprint of the template that it was made from. */
  poolTemplateAnnotation: 'smalt.dev/pool-template',
  /** On its instance, and in its template: a fingerprint of what restarts the instance when it changes. */
  poolInstanceAnnotation: 'smalt.dev/pool-instance',
  /** Beside it: a fingerprint of what makes the machine anew when it changes. */
  poolVolumesAnnotation: 'smalt.dev/pool-volumes',
  schedulableNodeLabel: 'kubevirt.io/schedulable',
  heartbeatAnnotation: 'kubevirt.io/heartbeat',
  /** On a Node: a moment (RFC 3339) at which it was proved to be without power. Whoever declares a host dead sets it. */
  fencedAtAnnotation: 'smalt.dev/fenced-at',
  /** Beside it: the boot id that the Node showed then. The proof holds only while it still shows that. */
  fencedBootAnnotation: 'smalt.dev/fenced-boot',
  /** Beside it: the heartbeat that the Node showed then, word for word. */
  fencedHeartbeatAnnotation: 'smalt.dev/fenced-heartbeat',
  /** On an instance, and in the template of its virtual machine: what its hardware addresses are made from beside its names. */
  macSeedAnnotation: 'smalt.dev/mac-seed',
  /** On an instance: the uid of the pod that its condition `Ready` means by `PodTerminating`. */
  leavingPodAnnotation: 'smalt.dev/leaving-pod',
  instanceFinalizer: 'kubevirt.io/foregroundDeleteVirtualMachine',
  virtualMachineFinalizer: 'kubevirt.io/virtualMachineControllerFinalize',
  migrationFinalizer: 'kubevirt.io/migrationJobFinalize',
} as const;

/** The drivers that `spec.hypervisor` of an instance may name. The list is open: a new driver needs no new schema. */
export const HypervisorDriver = {
  qemuKvm: 'qemu-kvm',
  qemu: 'qemu',
  cloudHypervisor: 'cloud-hypervisor',
  lxc: 'lxc',
  test: 'test',
} as const;
export type HypervisorDriver = (typeof HypervisorDriver)[keyof typeof HypervisorDriver];
