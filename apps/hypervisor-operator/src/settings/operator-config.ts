import type { OpenStackComputeSettings, SmokeTestSettings } from '@smalt/openstack-compute';
import type { SmokeTestSettings as VmSmokeTestSettings } from '@smalt/vm-compute';

import type { AggregatesSettings } from '../aggregates/aggregates-settings.ts';
import type { EvictionSettings } from '../eviction/eviction-settings.ts';
import type { HypervisorSettings } from '../hypervisor/hypervisor-settings.ts';
import type { MaintenanceSettings } from '../maintenance/maintenance-settings.ts';
import type { OnboardingSettings } from '../onboarding/onboarding-settings.ts';
import type { OperatorSettings } from './operator-settings.ts';

export type HypervisorConfig = Omit<HypervisorSettings, 'agentNamespaces' | 'transferLabels'>;
export type OnboardingConfig = Omit<OnboardingSettings, 'testAggregate'>;
export type MaintenanceConfig = Omit<MaintenanceSettings, 'transferLabels'>;
export type AggregatesConfig = Omit<AggregatesSettings, 'testAggregate'>;

export interface EvictionConfig extends Omit<EvictionSettings, 'limits'> {
  readonly limits: Omit<EvictionSettings['limits'], 'perTrait'> & {
    /** Each as TRAIT=NUMBER. */
    readonly perTrait: readonly string[];
  };
}

interface SmokeTestConfig extends Omit<SmokeTestSettings, 'network' | 'project'> {
  readonly network: string;
  readonly project: string;
  readonly projectDomain: string;
}

export interface VirtualMachinesConfig {
  readonly heartbeatTimeoutMs: number;
  readonly smokeTest: VmSmokeTestSettings;
}

export interface OpenStackConfig extends Omit<OpenStackComputeSettings, 'smokeTest' | 'blockMigration'> {
  readonly cloud: string;
  readonly allowsInsecure: boolean;
  readonly timeoutMs: number;
  readonly attempts: number;
  readonly mostRequests: number;
  readonly smokeTest: SmokeTestConfig;
  readonly blockMigration: 'auto' | 'always' | 'never';
}

interface LogConfig {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly format: 'json' | 'pretty';
}

/** The settings of controllers that are taken as they stand. */
type PlainConfig = Pick<
  OperatorSettings,
  'traits' | 'offboarding' | 'ready' | 'taint' | 'certificate' | 'nodeLifecycle'
>;

/** What `smalt operator` is told. What several controllers go by is said once. */
export interface OperatorConfig extends PlainConfig {
  readonly kubeconfig: string;
  readonly agentNamespaces: readonly string[];
  readonly labelSelector: string;
  readonly leaderElect: boolean | undefined;
  readonly leaseNamespace: string;
  readonly metricsBindAddress: string;
  readonly metricsSecure: boolean;
  readonly healthProbeBindAddress: string;
  readonly enableHttp2: boolean;
  readonly stopTimeoutMs: number;
  readonly discoveryMs: number;
  readonly testAggregate: string;
  readonly transferLabels: readonly string[];
  readonly hypervisor: HypervisorConfig;
  readonly onboarding: OnboardingConfig;
  readonly maintenance: MaintenanceConfig;
  readonly eviction: EvictionConfig;
  readonly aggregates: AggregatesConfig;
  readonly compute: 'openstack' | 'virtual-machines';
  readonly openstack: OpenStackConfig;
  readonly virtualMachines: VirtualMachinesConfig;
  readonly log: LogConfig;
}
