import type { ComputeError, ComputeHost, HostIdentity } from '@smalt/compute';
import type { Hypervisor } from '@smalt/fleet-api';

import { computeFailure } from '../compute-failure.ts';
import type { OperatorContext } from '../operator-context.ts';
import type { StatedCondition } from '../owned-status.ts';
import type { VerifiedStates } from '../verified-states.ts';
import { decideServiceStep, type ServiceStep, type WantedService } from './decide-compute-service.ts';
import { disabledCondition, failedCondition, isStated, told } from './disabled-condition.ts';
import type { MaintenanceSettings } from './maintenance-settings.ts';

export interface ServiceContext extends Pick<OperatorContext, 'compute' | 'recorder'> {
  readonly verified: VerifiedStates;
  readonly settings: MaintenanceSettings;
}

export interface ServiceTask {
  readonly hypervisor: Hypervisor;
  readonly host: HostIdentity;
  readonly wanted: Exclude<WantedService, { readonly kind: 'left' }>;
  readonly signal: AbortSignal;
}

/** What became of a compute service: what to state, and what went wrong. */
export interface SettledService {
  readonly condition: StatedCondition;
  readonly failure: ComputeError | undefined;
  /** How long nobody needs to look at it again. */
  readonly restMs: number;
}

/** Makes the compute service of a host as wanted, if it is not: looks first, unless it has looked a short while ago. */
export async function settleComputeService(context: ServiceContext, task: ServiceTask): Promise<SettledService> {
  const { compute, verified, settings } = context;
  const { hypervisor, host, wanted, signal } = task;
  const wantedText = `${host.serviceId} ${wanted.kind === 'enabled' ? wanted.kind : wanted.reason}`;
  const restMs = isStated(hypervisor, wanted) ? verified.restMs(hypervisor, wantedText) : 0;
  if (restMs > 0) return { condition: disabledCondition(wanted, { kind: 'none' }), failure: undefined, restMs };
  let found: ComputeHost | undefined;
  try {
    found = await compute.hosts.get(host, signal);
    const step = decideServiceStep(wanted, found, settings);
    await act(context, task, step);
    // The look may be some seconds old, and somebody else may have been at it until just now.
    const isCertain = step.kind !== 'none' || isStated(hypervisor, wanted);
    const believedMs = isCertain ? settings.resyncMs : Math.min(settings.confirmMs, settings.resyncMs);
    verified.remember(hypervisor, wantedText, believedMs);
    return { condition: disabledCondition(wanted, step), failure: undefined, restMs: believedMs };
  } catch (error) {
    const failure = computeFailure(error);
    verified.forget(hypervisor);
    return { condition: failedCondition(hypervisor, wanted, found, failure.message), failure, restMs: 0 };
  }
}

async function act(context: ServiceContext, task: ServiceTask, step: ServiceStep): Promise<void> {
  const { hosts } = context.compute;
  const { host, signal } = task;
  switch (step.kind) {
    case 'none':
    case 'respect':
    case 'unregistered':
      return;
    case 'enable':
      await hosts.enable(host, signal);
      break;
    case 'disable':
      await hosts.disable(host, step.reason, signal);
  }
  await tellDrift(context, task, step);
}

/** Tells who looks at the hypervisor that somebody else had changed its compute service. */
async function tellDrift({ recorder }: ServiceContext, task: ServiceTask, step: ServiceStep): Promise<void> {
  const { hypervisor, wanted } = task;
  const isDrift = isStated(hypervisor, wanted);
  const foreign = step.kind === 'enable' ? step.foreignReason : undefined;
  if (foreign !== undefined && (isDrift || foreign !== '')) {
    const type = isDrift ? 'Warning' : 'Normal';
    const message = `Hypervisor was disabled elsewhere (${told(foreign)}) and is enabled again: spec.maintenance is empty`;
    await recorder.record(hypervisor, type, 'HypervisorDisabledElsewhere', message);
  } else if (isDrift && step.kind === 'enable') {
    const message = 'Hypervisor was disabled or forced down elsewhere and is enabled again';
    await recorder.record(hypervisor, 'Warning', 'HypervisorDrifted', message);
  }
}
