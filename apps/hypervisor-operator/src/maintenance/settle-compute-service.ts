import type { ComputeError, ComputeHost, HostIdentity } from '@smalt/compute';
import type { Hypervisor } from '@smalt/fleet-api';

import { unchangedHypervisor } from '../frame/unchanged-hypervisor.ts';
import { computeFailure } from '../hosts/compute-failure.ts';
import { findNewRegistration } from '../hosts/find-new-registration.ts';
import type { HostClaims } from '../hosts/host-claims.ts';
import type { OperatorContext } from '../operator-context.ts';
import type { StatedCondition } from '../frame/owned-status.ts';
import type { VerifiedStates } from '../hosts/verified-states.ts';
import {
  decideServiceStep,
  isLeavingMaintenance,
  type ServiceStep,
  type WantedService,
} from './decide-compute-service.ts';
import { disabledCondition, failedCondition, isStated, told } from './disabled-condition.ts';
import type { MaintenanceSettings } from './maintenance-settings.ts';

export interface ServiceContext extends Pick<OperatorContext, 'client' | 'compute' | 'recorder'> {
  readonly claims: HostClaims;
  readonly verified: VerifiedStates;
  readonly settings: MaintenanceSettings;
}

export interface ServiceTask {
  readonly hypervisor: Hypervisor;
  readonly host: HostIdentity;
  readonly wanted: Exclude<WantedService, { readonly kind: 'left' }>;
  readonly signal: AbortSignal;
  /** Whether something else is wanted since: what was seen then is old news. */
  readonly isOutdated: () => boolean;
}

/** What became of a compute service: what to state, and what went wrong. */
export interface SettledService {
  readonly kind: 'settled';
  readonly condition: StatedCondition;
  readonly failure: ComputeError | undefined;
  /** How long nobody needs to look at it again. */
  readonly restMs: number;
}

/** Something else is wanted by now, so that nothing is to be stated. */
export interface OutdatedService {
  readonly kind: 'outdated';
}

/**
 * Makes the compute service of a host as wanted, if it is not: looks first, unless it has looked a short while ago. Not
 * when something else is wanted meanwhile: the service may be in other hands then.
 */
export async function settleComputeService(
  context: ServiceContext,
  task: ServiceTask,
): Promise<SettledService | OutdatedService> {
  const service = await settle(context, task);
  if (service.kind === 'settled' && !task.isOutdated()) return service;
  context.verified.forget(task.hypervisor);
  return { kind: 'outdated' };
}

async function settle(context: ServiceContext, task: ServiceTask): Promise<SettledService | OutdatedService> {
  const { compute, verified, settings } = context;
  const { hypervisor, host, wanted, signal } = task;
  const wantedText = `${host.serviceId} ${wanted.kind === 'enabled' ? wanted.kind : wanted.reason}`;
  const restMs = isStated(hypervisor, wanted) ? verified.restMs(hypervisor, wantedText) : 0;
  if (restMs > 0) return settled(disabledCondition(wanted, { kind: 'none' }), restMs);
  let found: ComputeHost | undefined;
  try {
    found = await compute.hosts.get(host, signal);
    const step = await decideStep(context, task, found);
    if (step.kind === 'enable' && !(await isStillToOpen(context, task))) return { kind: 'outdated' };
    if (!task.isOutdated()) await act(context, task, step);
    // The look may be some seconds old, and somebody else may have been at it until just now.
    const isCertain = step.kind !== 'none' || isStated(hypervisor, wanted);
    const believedMs = isCertain ? settings.resyncMs : Math.min(settings.confirmMs, settings.resyncMs);
    verified.remember(hypervisor, wantedText, believedMs);
    return settled(disabledCondition(wanted, step), believedMs);
  } catch (error) {
    const failure = computeFailure(error);
    verified.forget(hypervisor);
    return { ...settled(failedCondition(hypervisor, wanted, found, failure.message), 0), failure };
  }
}

function settled(condition: StatedCondition, restMs: number): SettledService {
  return { kind: 'settled', condition, failure: undefined, restMs };
}

async function decideStep(
  { compute, claims, settings }: ServiceContext,
  { hypervisor, wanted, signal }: ServiceTask,
  found: ComputeHost | undefined,
): Promise<ServiceStep> {
  const rules = { ...settings, isLeavingMaintenance: isLeavingMaintenance(hypervisor) };
  const step = decideServiceStep(wanted, found, rules);
  if (found === undefined) {
    const host = await findNewRegistration({ compute, claims }, hypervisor, signal);
    return host === undefined ? step : { kind: 'registered-anew', host };
  }
  if (step.kind !== 'enable' && step.kind !== 'disable') return step;
  const rival = await claims.rivalOf(found, hypervisor, signal);
  return rival === undefined ? step : { kind: 'claimed', hostName: found.name, rival };
}

/**
 * Whether the API server still has the host as one to open. High availability takes a host over there before it fences it, and
 * to open a host is to say that it is alive: by a cache that is behind, a fence would be taken back.
 */
async function isStillToOpen({ client }: ServiceContext, { hypervisor, signal }: ServiceTask): Promise<boolean> {
  return (await unchangedHypervisor(client, hypervisor, signal)) !== undefined;
}

async function act(context: ServiceContext, task: ServiceTask, step: ServiceStep): Promise<void> {
  const { hosts } = context.compute;
  const { host, signal } = task;
  switch (step.kind) {
    case 'none':
    case 'respect':
    case 'respect-forced-down':
    case 'unregistered':
    case 'registered-anew':
    case 'claimed':
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
