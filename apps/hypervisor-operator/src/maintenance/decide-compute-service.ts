import type { ComputeHost } from '@smalt/compute';
import { findCondition, isConditionTrue } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType, MaintenanceMode, type Hypervisor } from '@smalt/fleet-api';

import type { HypervisorEvictions } from './hypervisor-evictions.ts';

const MODE_REASON = 'Hypervisor CRD:';
const EVICTION_REASON = 'Eviction:';
/** Nova takes no more. */
const LONGEST_REASON = 255;

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
  | { readonly kind: 'unregistered' };

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
      return { kind: 'disabled', reason: reason.slice(0, LONGEST_REASON) };
    }
  }
}

/** Whether a host failed its tests: a person has to look at it, and until then it is not opened. */
function isAborted({ spec, status }: Hypervisor): boolean {
  const onboarding = findCondition(status?.conditions, HypervisorConditionType.onboarding);
  return spec?.lifecycleEnabled === true && onboarding?.reason === HypervisorConditionReason.Onboarding.aborted;
}

/** Compares what is wanted with the host as it is; undefined is one that is not registered. */
export function decideServiceStep(
  wanted: Exclude<WantedService, { readonly kind: 'left' }>,
  host: ComputeHost | undefined,
  { respectForeignDisable }: { readonly respectForeignDisable: boolean },
): ServiceStep {
  if (host === undefined) return { kind: 'unregistered' };
  switch (wanted.kind) {
    case 'disabled': {
      const { reason } = wanted;
      return !host.isEnabled && host.disabledReason === reason ? { kind: 'none' } : { kind: 'disable', reason };
    }
    case 'enabled': {
      if (host.isEnabled && !host.isForcedDown) return { kind: 'none' };
      const foreignReason = host.isEnabled ? undefined : foreignReasonOf(host);
      if (respectForeignDisable && foreignReason !== undefined) return { kind: 'respect', foreignReason };
      return { kind: 'enable', foreignReason };
    }
  }
}

function foreignReasonOf({ disabledReason = '' }: ComputeHost): string | undefined {
  const isOurs = disabledReason.startsWith(MODE_REASON) || disabledReason.startsWith(EVICTION_REASON);
  return isOurs ? undefined : disabledReason;
}
