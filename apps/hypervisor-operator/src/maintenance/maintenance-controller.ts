import {
  done,
  isConditionTrue,
  mappedSource,
  requeueAfter,
  type ControllerOptions,
  type ControllerSource,
  type Outcome,
} from '@smalt/controller-runtime';
import {
  evictionKind,
  HypervisorConditionType,
  MaintenanceMode,
  type Eviction,
  type Hypervisor,
} from '@smalt/fleet-api';
import { isAlreadyExists, isConflict, isNotFound } from '@smalt/kube';

import { retry } from '../compute-failure.ts';
import { hostIdentity } from '../host-identity.ts';
import {
  hypervisorController,
  type HypervisorControllerContext,
  type HypervisorPass,
} from '../hypervisor-controller.ts';
import type { OperatorContext } from '../operator-context.ts';
import { VerifiedStates } from '../verified-states.ts';
import { isBeforeMaintenance, wantedService, type WantedService } from './decide-compute-service.ts';
import { decideEviction, type EvictionAction, type EvictionDecision } from './decide-eviction.ts';
import { ownCondition } from './disabled-condition.ts';
import { evictionDraft } from './eviction-draft.ts';
import { hypervisorEvictions, type HypervisorEvictions } from './hypervisor-evictions.ts';
import type { MaintenanceSettings } from './maintenance-settings.ts';
import { settleComputeService, type ServiceContext, type SettledService } from './settle-compute-service.ts';
import { stateEvictingAlone } from './state-evicting-alone.ts';

const NAME = 'HypervisorMaintenance';
const INDEX = 'maintenance-of-hypervisor';

export type MaintenanceContext = HypervisorControllerContext & Pick<OperatorContext, 'compute' | 'evictions'>;
type Parts = MaintenanceContext & ServiceContext;

/** Opens and closes hosts for new instances, and has those in maintenance evicted. */
export function createMaintenanceController(
  context: MaintenanceContext,
  settings: MaintenanceSettings,
): ControllerOptions {
  const { hypervisors, evictions, clock } = context;
  evictions.addIndex(INDEX, ({ spec }) => (spec === undefined ? [] : [spec.hypervisor]));
  const verified = new VerifiedStates(hypervisors, clock);
  const parts: Parts = { ...context, verified, settings };
  return hypervisorController(context, {
    name: NAME,
    conditionTypes: [HypervisorConditionType.hypervisorDisabled, HypervisorConditionType.evicting],
    fieldNames: ['evicted'],
    concurrency: settings.concurrency,
    sources: [evictionSource(evictions)],
    reconcile: (pass) => reconcile(parts, pass),
  });
}

/** An eviction concerns the host it is for, and the one whose eviction it would be by its name. */
function evictionSource(evictions: OperatorContext['evictions']): ControllerSource {
  return mappedSource(evictions, ({ key, old, current }) => {
    const hosts = [old?.spec?.hypervisor, current?.spec?.hypervisor].filter((host) => host !== undefined);
    return [...new Set([key, ...hosts])];
  });
}

async function reconcile(parts: Parts, pass: HypervisorPass): Promise<Outcome> {
  const { hypervisor, signal } = pass;
  if (isBeforeMaintenance(hypervisor)) {
    parts.verified.forget(hypervisor);
    return done;
  }
  const evictions = evictionsOf(parts.evictions, hypervisor);
  const decision = decideEviction(hypervisor, evictions);
  const wanted = wantedService(hypervisor, evictions);
  if (wanted.kind === 'left') {
    parts.verified.forget(hypervisor);
    await carryOut(parts, hypervisor, decision.action, signal);
    await stateEvictingAlone(parts, { owner: NAME, hypervisor }, decision, signal);
    return done;
  }
  return await settle(parts, pass, wanted, decision);
}

async function settle(
  parts: Parts,
  { hypervisor, signal, state }: HypervisorPass,
  wanted: Exclude<WantedService, { readonly kind: 'left' }>,
  { action, condition, isEvicted }: EvictionDecision,
): Promise<Outcome> {
  const host = hostIdentity(hypervisor);
  const isGone = isOffboarded(hypervisor);
  const service: SettledService | undefined =
    host === undefined || isGone ? undefined : await settleComputeService(parts, { hypervisor, host, wanted, signal });
  await carryOut(parts, hypervisor, action, signal);
  const kept = isGone ? ownCondition(hypervisor) : undefined;
  const conditions = [service?.condition ?? kept, condition].filter((each) => each !== undefined);
  await state({ fields: { evicted: isEvicted }, conditions });
  if (service === undefined) return done;
  return service.failure === undefined ? requeueAfter(service.restMs) : retry(service.failure);
}

/** Whether it was removed from the compute system on purpose: there is nothing to look at any more. */
function isOffboarded({ spec, status }: Hypervisor): boolean {
  const isOut = isConditionTrue(status?.conditions, HypervisorConditionType.offboarded);
  return isOut && spec?.maintenance === MaintenanceMode.termination;
}

function evictionsOf({ cache }: OperatorContext['evictions'], hypervisor: Hypervisor): HypervisorEvictions {
  const { name } = hypervisor.metadata;
  return hypervisorEvictions(hypervisor, cache.get(name), cache.byIndex(INDEX, name));
}

async function carryOut(
  { client, settings }: Parts,
  hypervisor: Hypervisor,
  action: EvictionAction,
  signal: AbortSignal,
): Promise<void> {
  const evictions = client.resource<Eviction>(evictionKind);
  switch (action.kind) {
    case 'none':
      return;
    case 'create':
      try {
        await evictions.create(evictionDraft(hypervisor, settings), { fieldManager: NAME, signal });
      } catch (error) {
        // The cache is behind: the change that it has not had yet brings the hypervisor here again.
        if (!isAlreadyExists(error)) throw error;
      }
      return;
    case 'delete': {
      const { name, uid } = action.eviction.metadata;
      try {
        await evictions.delete(name, { uid, signal });
      } catch (error) {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      }
    }
  }
}
