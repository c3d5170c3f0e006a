import { reasonAsKept, type ComputeHost } from '@smalt/compute';
import { findCondition, isConditionTrue } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType, MaintenanceMode, type Hypervisor } from '@smalt/fleet-api';

import type { HypervisorEvictions } from './hypervisor-evictions.ts';

const MODE_REASON = 'Hypervisor CRD:';
const EVICTION_REASON = 'Eviction:';

/** How the compute service of a host shall be. */
export type WantedService =
  /** It is somebody else's business. */
  { readonly kind: 'left' } | { readonly kind: 'enabled' } | { readonly kind: 'disabled'; readonly reason: string };

/** What has to be done about a compute service. */
export type ServiceStep =
  | { readonly kind: 'none' }
  /** `foreignReason` is why somebody else had disabled it; empty if he gave none. */
  | { readonly kind: 'enable'; readonly foreignReason: string | undefined }
  | { readonly kind: 'disable'; readonly reason: string }
  /** It stays as somebody else wants it. */
  | { readonly kind: 'respect'; readonly foreignReason: string }
  /** Somebody has declared it dead, and has not taken that back. */
  | { readonly kind: 'respect-forced-down'; readonly hostName: string }
  | { readonly kind: 'unregistered' }
  /** It is not what its stored ids say: there is another registration of its name. */
  | { readonly kind: 'registered-anew'; readonly host: ComputeHost }
  /** It is the host of another Hypervisor. */
  | { readonly kind: 'claimed'; readonly hostName: string; readonly rival: string };

/**
 * Whether maintenance has to wait: a host that is being onboarded, or is still to be, must not be opened for instances
 * before it was tested. One that is to be terminated will never be onboarded.
 */
export function isBeforeMaintenance({ spec, status }: Hypervisor): boolean {
  if (isConditionTrue(status?.conditions, HypervisorConditionType.onboarding)) return true;
  if (spec?.maintenance === MaintenanceMode.termination || spec?.lifecycleEnabled !== true) return false;
  return findCondition(status?.conditions, HypervisorConditionType.onboarding) === undefined;
}

/** Decides by the mode of maintenance; without one, an eviction that somebody asked for keeps new instances away. */
export function wantedService(hypervisor: Hypervisor, { foreign }: HypervisorEvictions): WantedService {
  const mode = hypervisor.spec?.maintenance ?? MaintenanceMode.unset;
  switch (mode) {
    case MaintenanceMode.manual:
    case MaintenanceMode.auto:
    case MaintenanceMode.termination:
      return { kind: 'disabled', reason: `${MODE_REASON} spec.maintenance=${mode}` };
    case MaintenanceMode.ha:
      return { kind: 'left' };
    case MaintenanceMode.unset: {
      const [eviction] = foreign;
      if (eviction === undefined) return { kind: isAborted(hypervisor) ? 'left' : 'enabled' };
      const reason = `${EVICTION_REASON} ${eviction.spec?.reason ?? eviction.metadata.name}`;
      return { kind: 'disabled', reason: reasonAsKept(reason) };
    }
  }
}

/** Whether a host is still to be tested, or failed its tests: a person has to look at it, and until then it is not opened. */
function isAborted({ spec, status }: Hypervisor): boolean {
  const onboarding = findCondition(status?.conditions, HypervisorConditionType.onboarding);
  if (onboarding?.reason !== HypervisorConditionReason.Onboarding.aborted) return false;
  // Only failed tests leave a record behind, and they count whoever looks after the host now.
  return spec?.lifecycleEnabled === true || status?.smokeTest !== undefined;
}

/**
 * Whether a host that is to be open was closed by a maintenance, ours or that of high availability: only then it is ours
 * to say that it is alive.
 */
export function isLeavingMaintenance({ status }: Hypervisor): boolean {
  const disabled = findCondition(status?.conditions, HypervisorConditionType.hypervisorDisabled);
  const { disabledElsewhere } = HypervisorConditionReason.HypervisorDisabled;
  return disabled?.status === 'True' && disabled.reason !== disabledElsewhere;
}

export interface ServiceRules {
  /** Whether a compute service that somebody else has disabled stays so. */
  readonly respectForeignDisable: boolean;
  readonly isLeavingMaintenance: boolean;
}

/** Compares what is wanted with the host as it is; undefined is one that is not registered. */
export function decideServiceStep(
  wanted: Exclude<WantedService, { readonly kind: 'left' }>,
  host: ComputeHost | undefined,
  rules: ServiceRules,
): ServiceStep {
  if (host === undefined) return { kind: 'unregistered' };
  switch (wanted.kind) {
    case 'disabled': {
      const { reason } = wanted;
      return !host.isEnabled && host.disabledReason === reason ? { kind: 'none' } : { kind: 'disable', reason };
    }
    case 'enabled': {
      // What is seen may be some seconds old, and at the end of a maintenance it is more likely to be so than right.
      if (host.isEnabled && !host.isForcedDown && !rules.isLeavingMaintenance) return { kind: 'none' };
      const foreignReason = host.isEnabled ? undefined : foreignReasonOf(host);
      const isOurs = rules.isLeavingMaintenance || (!host.isEnabled && foreignReason === undefined);
      if (host.isForcedDown && !isOurs) return { kind: 'respect-forced-down', hostName: host.name };
      if (rules.respectForeignDisable && foreignReason !== undefined) return { kind: 'respect', foreignReason };
      return { kind: 'enable', foreignReason };
    }
  }
}

function foreignReasonOf({ disabledReason = '' }: ComputeHost): string | undefined {
  const isOurs = disabledReason.startsWith(MODE_REASON) || disabledReason.startsWith(EVICTION_REASON);
  return isOurs ? undefined : disabledReason;
}
