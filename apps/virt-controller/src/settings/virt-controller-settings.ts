import { migrationSettings, type MigrationSettings } from '@smalt/vm-lifecycle';

/** How virtual machines are run, for all of a cluster. */
export interface VirtControllerSettings {
  /** The image of launcher pods. */
  readonly launcherImage: string;
  /** When kubelets look for a newer one; undefined is as Kubernetes has it. */
  readonly launcherPullPolicy?: 'Always' | 'IfNotPresent' | 'Never';
  /** Secrets by which it is pulled. They have to be in each namespace with instances. */
  readonly launcherPullSecrets: readonly string[];
  /** How many virtual processors share one of the node. */
  readonly cpuAllocationRatio: number;
  /** How much memory guests have for each hundred that is set aside. */
  readonly memoryOvercommitPercent: number;
  /** Labels that the nodes of all instances must have. */
  readonly nodeSelector: Readonly<Record<string, string>>;
  /** Whether changes are carried into running guests, or wait for a restart. */
  readonly rollout: 'LiveUpdate' | 'Stage';
  /** How machines without interfaces are connected; as virt-api has it. */
  readonly defaultNetworkInterface: 'bridge' | 'masquerade';
  readonly migrations: MigrationSettings;
  /** The taint that makes instances leave a node. */
  readonly drainTaintKey: string;
  /** After how long without a heartbeat the handler of a node counts as silent. */
  readonly heartbeatTimeoutMs: number;
}

export const defaultVirtControllerSettings: VirtControllerSettings = {
  launcherImage: 'smalt/virt-launcher:latest',
  launcherPullSecrets: [],
  cpuAllocationRatio: 10,
  memoryOvercommitPercent: 100,
  nodeSelector: {},
  rollout: 'LiveUpdate',
  defaultNetworkInterface: 'bridge',
  migrations: migrationSettings(undefined),
  drainTaintKey: 'kubevirt.io/drain',
  heartbeatTimeoutMs: 300_000,
};
