import type { ComputeHost } from '@smalt/compute';
import { findCondition } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType, type Hypervisor } from '@smalt/fleet-api';
import type { Condition } from '@smalt/kubernetes';

import { registeredAnewMessage } from '../hosts/find-new-registration.ts';
import type { StatedCondition } from '../frame/owned-status.ts';
import type { ServiceStep, WantedService } from './decide-compute-service.ts';

const REASON = HypervisorConditionReason.HypervisorDisabled;

/** What is stated once the compute service is as a step has left it. */
export function disabledCondition(wanted: WantedService, step: ServiceStep): StatedCondition {
  switch (step.kind) {
    case 'respect':
      return condition(
        'True',
        REASON.disabledElsewhere,
        `Hypervisor was disabled elsewhere: ${told(step.foreignReason)}`,
      );
    case 'respect-forced-down': {
      const command = `openstack compute service set --up ${step.hostName} nova-compute`;
      const message = `Hypervisor was forced down elsewhere and stays so; when it is sound: \`${command}\``;
      return { ...condition('True', REASON.disabledElsewhere, message), isWarning: true };
    }
    case 'registered-anew':
      // Instances may run there, and more may come.
      return { ...condition('Unknown', REASON.notRegistered, registeredAnewMessage(step.host)), isWarning: true };
    case 'claimed': {
      const message = `host ${step.hostName} belongs to Hypervisor ${step.rival}: nothing is done to it`;
      return { ...condition('Unknown', REASON.failed, message), isWarning: true };
    }
    case 'unregistered': {
      const message = 'Hypervisor is not registered at the compute system under its stored ids';
      // A host that is not there gets no instances: that is all that maintenance needs.
      if (wanted.kind === 'disabled') return condition('True', REASON.notRegistered, message);
      return { ...condition('Unknown', REASON.notRegistered, message), isWarning: true };
    }
    case 'none':
    case 'enable':
    case 'disable':
      return wanted.kind === 'disabled'
        ? condition('True', REASON.succeeded, 'Hypervisor is disabled')
        : condition('False', REASON.succeeded, 'Hypervisor is enabled');
  }
}

/** What is stated when the compute system failed; `host` is what was seen of it before that. */
export function failedCondition(
  hypervisor: Hypervisor,
  wanted: WantedService,
  host: ComputeHost | undefined,
  message: string,
): StatedCondition {
  const old = ownCondition(hypervisor);
  // Nothing is known to have changed: only the look at it failed.
  if (old !== undefined && host === undefined && isStated(hypervisor, wanted)) return old;
  const seen = host === undefined ? undefined : host.isEnabled ? 'False' : 'True';
  const verb = wanted.kind === 'disabled' ? 'disable' : 'enable';
  const status = seen ?? old?.status ?? 'Unknown';
  return { ...condition(status, REASON.failed, `failed to ${verb} hypervisor: ${message}`), isWarning: true };
}

/** Whether the status already says that it is so. */
export function isStated(hypervisor: Hypervisor, wanted: WantedService): boolean {
  const { status, reason, message } = disabledCondition(wanted, { kind: 'none' });
  const old = ownCondition(hypervisor);
  return old?.status === status && old.reason === reason && old.message === message;
}

/** The condition as it stands, to be stated once more. */
export function ownCondition({ status }: Hypervisor): StatedCondition | undefined {
  const old = findCondition(status?.conditions, HypervisorConditionType.hypervisorDisabled);
  return old === undefined ? undefined : condition(old.status, old.reason, old.message);
}

/** A foreign reason in a sentence. */
export function told(foreignReason: string): string {
  return foreignReason === '' ? 'no reason was given' : foreignReason;
}

function condition(status: Condition['status'], reason: string, message: string): StatedCondition {
  return { type: HypervisorConditionType.hypervisorDisabled, status, reason, message };
}
