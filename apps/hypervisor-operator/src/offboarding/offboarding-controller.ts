import { done, requeueAfter, type ControllerOptions, type Outcome } from '@smalt/controller-runtime';
import { HypervisorConditionType, type Hypervisor } from '@smalt/fleet-api';
import type { Fields } from '@smalt/kube';

import { retry } from '../hosts/compute-failure.ts';
import { HostClaims } from '../hosts/host-claims.ts';
import {
  hypervisorController,
  type HypervisorControllerContext,
  type HypervisorPass,
} from '../frame/controller-of-hypervisors.ts';
import type { OperatorContext } from '../operator-context.ts';
import type { StatedCondition, Statement } from '../frame/owned-status.ts';
import { decideOffboarding, offboarded, offboarding } from './decide-offboarding.ts';
import type { OffboardingSettings } from './offboarding-settings.ts';
import { removeHost, type RemovalContext } from './remove-host.ts';

export type OffboardingContext = HypervisorControllerContext & Pick<OperatorContext, 'compute'>;

/** Removes hosts that are terminated from the compute system, once nothing is left on them. */
export function createOffboardingController(
  context: OffboardingContext,
  settings: OffboardingSettings,
): ControllerOptions {
  const { client, compute, hypervisors } = context;
  const parts = { client, compute, claims: new HostClaims(hypervisors, client) };
  return hypervisorController(context, {
    name: 'offboarding',
    conditionTypes: [HypervisorConditionType.offboarded],
    concurrency: settings.concurrency,
    reconcile: (pass) => reconcile(parts, settings, pass),
  });
}

async function reconcile(
  context: RemovalContext,
  settings: OffboardingSettings,
  pass: HypervisorPass,
): Promise<Outcome> {
  const { hypervisor, state } = pass;
  const step = decideOffboarding(hypervisor);
  switch (step.kind) {
    case 'none':
      return done;
    case 'take-back':
      await state({ conditions: [] });
      return done;
    case 'wait':
      await state(statement(hypervisor, step.condition));
      return requeueAfter(settings.resyncMs);
    case 'remove':
      return await remove(context, settings, pass);
  }
}

async function remove(
  context: RemovalContext,
  { retryMs }: OffboardingSettings,
  { hypervisor, signal, state }: HypervisorPass,
): Promise<Outcome> {
  const removal = await removeHost(context, hypervisor, signal);
  switch (removal.kind) {
    case 'done':
      await state(statement(hypervisor, offboarded()));
      return done;
    case 'found':
      // The change of the status brings the hypervisor here again, and from now on it goes by these ids.
      await state({ fields: { ...removal.host }, conditions: [offboarding()] });
      return requeueAfter(retryMs);
    case 'blocked':
      await state(statement(hypervisor, offboarding(removal.message)));
      return requeueAfter(retryMs);
    case 'outdated':
      // Its change brings it here again; this is for a watch that hangs.
      return requeueAfter(retryMs);
    case 'failed': {
      const { failure } = removal;
      await state(statement(hypervisor, { ...offboarding(failure.message), isWarning: true }));
      return retry(failure);
    }
  }
}

/** Says with the condition by which ids the host goes: those that only this controller has found must not be lost. */
function statement({ status }: Hypervisor, condition: StatedCondition): Statement {
  const { hypervisorId, serviceId } = status ?? {};
  const fields: Fields = {
    ...(hypervisorId !== undefined && { hypervisorId }),
    ...(serviceId !== undefined && { serviceId }),
  };
  return { fields, conditions: [condition] };
}
