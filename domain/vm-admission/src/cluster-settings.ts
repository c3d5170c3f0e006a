import { EvictionStrategy, HypervisorDriver } from '@smalt/vm-api';

import type { FeatureGateSwitches } from './feature-gates.ts';

/** What is set for the whole cluster and decides how virtual machines are filled in and judged. */
export interface ClusterSettings extends FeatureGateSwitches {
  readonly defaultArchitecture: string;
  readonly architectures: Readonly<Record<string, ArchitectureSettings>>;
  /** The driver of instances that name none. */
  readonly defaultHypervisor: string;
  /** The drivers that may be chosen. One that shields little from its guests makes whoever may choose it root of the node. */
  readonly allowedHypervisors: readonly string[];
  /** The bus of disks on drivers that do not have the usual one of the architecture. */
  readonly diskBusByHypervisor: Readonly<Record<string, string>>;
  /** The model of instances that name none; without it, the host's. */
  readonly cpuModel?: string;
  /** The processor time that instances without a request ask for. The usual 100m is left to the scheduler's side. */
  readonly cpuRequest: string;
  readonly evictionStrategy?: string;
  readonly defaultNetworkInterface: 'bridge' | 'masquerade';
  readonly permitBridgeInterfaceOnPodNetwork: boolean;
  /** `LiveUpdate` carries changes into running guests, `Stage` waits for their restart. */
  readonly rolloutStrategy: 'LiveUpdate' | 'Stage';
  readonly liveUpdate: LiveUpdateSettings;
  /** Whether guests with an emulator thread of their own get an even number of processors. */
  readonly completesToEvenParity: boolean;
  /** Where the quote generation service of TDX listens; empty for none. */
  readonly quoteSocketPath: string;
}

export interface ArchitectureSettings {
  readonly machineType: string;
  /** Patterns of machine types that may be asked for; `*` stands for anything. */
  readonly emulatedMachines: readonly string[];
}

/** How far running guests can grow. */
export interface LiveUpdateSettings {
  /** How many times its size a guest can grow to, where nothing else is said. */
  readonly maxHotplugRatio: number;
  readonly maxCpuSockets?: number;
  readonly maxGuest?: string;
}

/** The settings of a cluster where nobody has set anything. */
export const DEFAULT_CLUSTER_SETTINGS: ClusterSettings = {
  defaultArchitecture: 'amd64',
  architectures: {
    amd64: { machineType: 'q35', emulatedMachines: ['q35*', 'pc-q35*'] },
    arm64: { machineType: 'virt', emulatedMachines: ['virt*'] },
    s390x: { machineType: 's390-ccw-virtio', emulatedMachines: ['s390-ccw-virtio*'] },
  },
  defaultHypervisor: HypervisorDriver.qemuKvm,
  // Containers share the node's kernel and its root: only a cluster whose users all trust each other names them.
  allowedHypervisors: Object.values(HypervisorDriver).filter((name) => name !== HypervisorDriver.lxc),
  diskBusByHypervisor: { [HypervisorDriver.cloudHypervisor]: 'virtio' },
  cpuRequest: '100m',
  evictionStrategy: EvictionStrategy.none,
  defaultNetworkInterface: 'bridge',
  permitBridgeInterfaceOnPodNetwork: true,
  rolloutStrategy: 'LiveUpdate',
  liveUpdate: { maxHotplugRatio: 4 },
  completesToEvenParity: false,
  quoteSocketPath: '/var/run/tdx-qgs/qgs.socket',
  featureGates: [],
  disabledFeatureGates: [],
};

/** The settings of an architecture; those of amd64 for one that nobody knows, which validation refuses. */
export function architectureSettings(settings: ClusterSettings, architecture: string): ArchitectureSettings {
  const known = Object.hasOwn(settings.architectures, architecture) ? settings.architectures[architecture] : undefined;
  return known ?? settings.architectures['amd64'] ?? { machineType: '', emulatedMachines: [] };
}
