import type { Clock, EventRecorder, Informer } from '@smalt/controller-runtime';
import type { KubeClient } from '@smalt/kube';
import type { KubernetesObject } from '@smalt/kubernetes';
import type { Node } from '@smalt/placement';
import type { Ignore, Logger, MetricsRegistry } from '@smalt/service-runtime';
import type {
  MigrationPolicy,
  VirtualMachine,
  VirtualMachineClusterInstancetype,
  VirtualMachineClusterPreference,
  VirtualMachineInstance,
  VirtualMachineInstanceMigration,
  VirtualMachineInstanceReplicaSet,
  VirtualMachineInstancetype,
  VirtualMachinePool,
  VirtualMachinePreference,
} from '@smalt/vm-api';
import type { HeartbeatSightings, ObservedPod } from '@smalt/vm-lifecycle';

import type { FencedHypervisor } from './kinds/fenced-hypervisor.ts';
import type { VolumeClaim } from './kinds/volume-claim.ts';
import type { VirtControllerSettings } from './settings/virt-controller-settings.ts';

/** What the controllers share. Each asks for those it needs. */
export interface VirtControllerContext {
  readonly client: KubeClient;
  readonly machines: Informer<VirtualMachine>;
  readonly instances: Informer<VirtualMachineInstance>;
  readonly migrations: Informer<VirtualMachineInstanceMigration>;
  readonly replicaSets: Informer<VirtualMachineInstanceReplicaSet>;
  /** Undefined where the cluster does not have the kind. */
  readonly pools: Informer<VirtualMachinePool> | undefined;
  /** Launcher pods alone. */
  readonly pods: Informer<ObservedPod>;
  readonly nodes: Informer<Node>;
  /** When the heartbeats of nodes were seen to change, by the steady clock. */
  readonly heartbeats: HeartbeatSightings;
  readonly claims: Informer<VolumeClaim>;
  /** Undefined where the cluster does not have the kind. */
  readonly hypervisors: Informer<FencedHypervisor> | undefined;
  /** Undefined where the cluster does not have the kind. */
  readonly policies: PolicySources | undefined;
  /** Undefined where the cluster does not have the kinds. */
  readonly choices: ChoiceSources | undefined;
  readonly settings: VirtControllerSettings;
  readonly recorder: EventRecorder;
  readonly metrics: MetricsRegistry;
  readonly logger: Logger;
  readonly ignore: Ignore;
  readonly clock: Clock;
  readonly random: () => number;
}

export interface PolicySources {
  readonly objects: Informer<MigrationPolicy>;
  readonly namespaces: Informer<KubernetesObject>;
}

/** What machines can choose, by the plural names of the kinds. */
export interface ChoiceSources {
  readonly virtualmachineinstancetypes: Informer<VirtualMachineInstancetype>;
  readonly virtualmachineclusterinstancetypes: Informer<VirtualMachineClusterInstancetype>;
  readonly virtualmachinepreferences: Informer<VirtualMachinePreference>;
  readonly virtualmachineclusterpreferences: Informer<VirtualMachineClusterPreference>;
}
