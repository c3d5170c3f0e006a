import type { HypervisorSpec } from '@smalt/fleet-api';

/** How a hypervisor is that its node says nothing else about. */
type NewHypervisor = Pick<
  HypervisorSpec,
  | 'createCertManagerCertificate'
  | 'evacuateOnReboot'
  | 'highAvailability'
  | 'installCertificate'
  | 'lifecycleEnabled'
  | 'reboot'
  | 'skipTests'
>;

export interface HypervisorSettings {
  readonly concurrency: number;
  readonly newHypervisor: NewHypervisor;
  /** Labels that a hypervisor gets from its node, and loses with it; those that shards are made by belong here too. */
  readonly transferLabels: readonly string[];
  /** Where the pods run that must be gone before a host is offboarded: nova-compute, neutron. Empty: everywhere. */
  readonly agentNamespaces: readonly string[];
  /** How often to look at agent pods that still run. */
  readonly agentPodsPollMs: number;
  /** How many pods are asked for at a time. */
  readonly podPageSize: number;
}

export const defaultHypervisorSettings: HypervisorSettings = {
  concurrency: 16,
  newHypervisor: {
    createCertManagerCertificate: false,
    evacuateOnReboot: true,
    highAvailability: true,
    installCertificate: true,
    lifecycleEnabled: false,
    reboot: false,
    skipTests: false,
  },
  transferLabels: [
    'kubernetes.io/hostname',
    'kubernetes.metal.cloud.sap/bb',
    'kubernetes.metal.cloud.sap/cluster',
    'kubernetes.metal.cloud.sap/name',
    'kubernetes.metal.cloud.sap/type',
    'topology.kubernetes.io/region',
    'topology.kubernetes.io/zone',
    'worker.garden.sapcloud.io/group',
    'worker.gardener.cloud/pool',
  ],
  agentNamespaces: [],
  agentPodsPollMs: 10_000,
  podPageSize: 100,
};
