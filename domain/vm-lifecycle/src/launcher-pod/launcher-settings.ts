/** What the pod of an instance depends on beside the instance. */
export interface LauncherSettings {
  readonly image: string;
  /** When kubelets look for a newer image; as Kubernetes has it when not set. */
  readonly imagePullPolicy?: ImagePullPolicy;
  /** Names of Secrets, in the namespace of the instance, by which that image is pulled. */
  readonly imagePullSecrets?: readonly string[];
  readonly driver: LauncherDriver;
  /** How many virtual processors share one of the node; 10 when not set. */
  readonly cpuAllocationRatio?: number;
  /** How much memory guests have for each hundred that is set aside; 100 when not set. */
  readonly memoryOvercommitPercent?: number;
  /** Labels that the nodes of all instances must have. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** The names of the volumes whose claims are block devices. */
  readonly blockVolumes?: ReadonlySet<string>;
}

export type ImagePullPolicy = 'Always' | 'IfNotPresent' | 'Never';

/** What the driver of an instance needs of its pod. */
export interface LauncherDriver {
  /** The value of `spec.hypervisor`. */
  readonly name: string;
  /** The device without its group, `kvm`; undefined for drivers that need none. */
  readonly device: string | undefined;
  /** What goes with the guest beside its own memory, as the driver has measured it. */
  readonly overheadBytes: bigint;
  readonly runsPrivileged: boolean;
  /** Whether machine types and processor models of nodes matter. */
  readonly emulatesMachine: boolean;
}
