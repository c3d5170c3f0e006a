import type { ConditionStatement } from '@smalt/controller-runtime';
import type { Incident } from '@smalt/failure-detection';
import {
  HIGH_AVAILABILITY_WORDS,
  HypervisorConditionReason,
  HypervisorConditionType,
  MaintenanceMode,
} from '@smalt/fleet-api';

import type { ClusterHost } from '../../ports/cluster-port.ts';
import type { HostCoverage } from '../fleet/host-places.ts';

const { HaEnabled, HypervisorDisabled, Onboarding } = HypervisorConditionReason;

/** What decides what is stated on a Hypervisor object. */
export interface ContractView {
  readonly host: ClusterHost;
  /** Whether `POST /api/hypervisors/<host>` has switched it off; undefined when nobody ever asked. */
  readonly isSwitchedOn: boolean | undefined;
  readonly hasFenceMethod: boolean;
  /** Another host that names the switch of this one, where no switch is left that is its own alone. */
  readonly powerRival?: string | undefined;
  readonly coverage: HostCoverage;
  /** Its incident that is open, or after which it is held. */
  readonly incident: Incident | undefined;
  /** Whether `ha` was seen in `spec.maintenance` since it is held: who clears it after that lets the host go. */
  readonly isMarked: boolean;
  /** The incident that is over and after which it has not returned yet. */
  readonly heldBy: string | undefined;
  /** Whether that may not be all: then nothing is taken back that may be said of an incident that is not known. */
  readonly isUnsure: boolean;
}

/** How the fields that are ours shall be. `maintenance` is undefined where it stays as it is. */
export interface Contract {
  readonly conditions: readonly ConditionStatement[];
  readonly isStated: boolean;
  readonly maintenance: 'ha' | '' | undefined;
}

/** Says how the object of a host shall look, so that the operator and everybody else know what high availability does. */
export function decideContract(view: ContractView): Contract {
  const { host } = view;
  const enabled = haEnabledOf(view);
  const disabled = disabledOf(view);
  const conditions = [enabled, disabled].filter((each) => each !== undefined);
  const isStated =
    isSame(enabled, host.haEnabled) &&
    (disabled === undefined ? !isOurs(host.hypervisorDisabled) : isSame(disabled, host.hypervisorDisabled));
  return { conditions, isStated: isStated || conditions.length === 0, maintenance: maintenanceOf(view) };
}

function haEnabledOf(view: ContractView): ConditionStatement | undefined {
  const { host, isSwitchedOn, hasFenceMethod, coverage, heldBy, powerRival } = view;
  const { name, onboardingReason, evicting } = host;
  const { handover, succeeded } = Onboarding;
  if (onboardingReason === undefined) return undefined;
  if (evicting === 'False') return haEnabled('False', HaEnabled.evicted, `${name} is evicted`);
  if (onboardingReason !== handover && onboardingReason !== succeeded) {
    return haEnabled('False', HaEnabled.onboarding, `${name} is not onboarded yet (${onboardingReason})`);
  }
  if (!host.isHighlyAvailable) return haEnabled('False', HaEnabled.succeeded, `${name} has highAvailability: false`);
  if (isSwitchedOn === false) {
    return haEnabled('False', HaEnabled.succeeded, `high availability of ${name} was switched off at the HA service`);
  }
  if (heldBy !== undefined) {
    const message = `${name} is held after incident ${heldBy} and is not recovered again until it has returned; repair it, then release it`;
    return haEnabled('False', HaEnabled.failed, message);
  }
  // What was said of it stays until that is known.
  if (coverage.kind === 'unknown') return host.haEnabled;
  if (coverage.kind === 'excluded') {
    const message = `${coverage.why}; change the policy of the HA service, or set highAvailability: false`;
    return haEnabled('False', HaEnabled.succeeded, message);
  }
  if (!hasFenceMethod) {
    const message = `there is no way to power ${name} off, so it cannot be recovered; add one under fencing in the settings of the HA service`;
    return haEnabled('Unknown', HaEnabled.failed, message);
  }
  if (powerRival !== undefined) {
    const message = `${name} and ${powerRival} name the same power switch, so neither is powered off by it nor recovered; correct the one that is wrong`;
    return haEnabled('Unknown', HaEnabled.failed, message);
  }
  return haEnabled('True', HaEnabled.succeeded, `${name} is recovered when it fails`);
}

function haEnabled(status: ConditionStatement['status'], reason: string, message: string): ConditionStatement {
  return { type: HypervisorConditionType.haEnabled, status, reason, message };
}

function disabledOf({ host, incident, isUnsure }: ContractView): ConditionStatement | undefined {
  // What was said of it stays until the incident is known, with the time since when it is so.
  if (incident === undefined && isUnsure && isOurs(host.hypervisorDisabled)) return host.hypervisorDisabled;
  if (incident === undefined || !wasDisabled(incident)) return undefined;
  const message = `${HIGH_AVAILABILITY_WORDS} ${incident.host} is disabled and declared dead by incident ${incident.id}`;
  return {
    type: HypervisorConditionType.hypervisorDisabled,
    status: 'True',
    reason: HypervisorDisabled.succeeded,
    message,
  };
}

/** Whether an incident has come so far that the compute service was seen to be disabled, and declared dead. */
function wasDisabled({ state, isDeclaredDead, method }: Incident): boolean {
  switch (state) {
    case 'rebuilding':
    case 'recovered':
    case 'failed':
      return true;
    case 'closed':
      // An earlier version did not say so, but chose how to rebuild only once the host was declared dead. In doubt it was not:
      // others start its instances by this.
      return isDeclaredDead ?? method !== undefined;
    case 'detected':
    case 'fencing':
    case 'forcing-down':
    case 'acquitted':
      return false;
  }
}

function isOurs(condition: ConditionStatement | undefined): boolean {
  return condition?.message.startsWith(HIGH_AVAILABILITY_WORDS) === true;
}

function maintenanceOf({ host, incident, isMarked, isUnsure }: ContractView): Contract['maintenance'] {
  const { maintenance, hypervisorDisabled } = host;
  const isHeld = incident !== undefined && incident.closedAt !== undefined;
  // A host that is held has the mark once, so that somebody can clear it.
  if (incident !== undefined && incident.fences.length > 0 && !(isHeld && isMarked)) {
    return maintenance === MaintenanceMode.unset ? MaintenanceMode.ha : undefined;
  }
  if (incident !== undefined || isUnsure || maintenance !== MaintenanceMode.ha) return undefined;
  // Left over from a host that was acquitted. One that was disabled too is no such host: it may really be dead.
  return hypervisorDisabled?.status === 'True' ? undefined : MaintenanceMode.unset;
}

function isSame(wanted: ConditionStatement | undefined, there: ConditionStatement | undefined): boolean {
  return (
    wanted === undefined ||
    (wanted.status === there?.status && wanted.reason === there.reason && wanted.message === there.message)
  );
}
