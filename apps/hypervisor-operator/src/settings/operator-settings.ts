import type { OpenStackComputeSettings } from '@smalt/openstack-compute';

import type { AggregatesSettings } from '../aggregates/aggregates-settings.ts';
import type { CertificateSettings } from '../certificate/certificate-settings.ts';
import type { EvictionSettings } from '../eviction/eviction-settings.ts';
import type { HypervisorSettings } from '../hypervisor/hypervisor-settings.ts';
import type { MaintenanceSettings } from '../maintenance/maintenance-settings.ts';
import type { NodeLifecycleSettings } from '../node-lifecycle/node-lifecycle-settings.ts';
import type { OffboardingSettings } from '../offboarding/offboarding-settings.ts';
import type { OnboardingSettings } from '../onboarding/onboarding-settings.ts';
import type { ReadySettings } from '../ready/ready-settings.ts';
import type { TaintSettings } from '../taint/taint-settings.ts';
import type { TraitsSettings } from '../traits/traits-settings.ts';

/** What all controllers are told. */
export interface OperatorSettings {
  readonly hypervisor: HypervisorSettings;
  readonly onboarding: OnboardingSettings;
  readonly maintenance: MaintenanceSettings;
  readonly eviction: EvictionSettings;
  readonly aggregates: AggregatesSettings;
  readonly traits: TraitsSettings;
  readonly offboarding: OffboardingSettings;
  readonly ready: ReadySettings;
  readonly taint: TaintSettings;
  readonly certificate: CertificateSettings;
  readonly nodeLifecycle: NodeLifecycleSettings;
}

/** What the compute system is told. */
export interface OpenStackSettings {
  readonly compute: OpenStackComputeSettings;
  readonly timeoutMs?: number;
  readonly maxAttempts?: number;
  readonly mostRequests?: number;
}
