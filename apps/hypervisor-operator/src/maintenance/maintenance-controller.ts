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

import { retry } from '../hosts/compute-failure.ts';
import { HostClaims } from '../hosts/host-claims.ts';
import { hostIdentity } from '../hosts/host-identity.ts';
import {
  hypervisorController,
  type HypervisorControllerContext,
  type HypervisorPass,
} from '../frame/controller-of-hypervisors.ts';
import { isEvicted } from '../frame/is-evicted.ts';
import type { OperatorContext } from '../operator-context.ts';
import type { StatedCondition } from '../frame/owned-status.ts';
import { EvictionsByHost } from '../hosts/evictions-by-host.ts';
import { VerifiedStates } from '../hosts/verified-states.ts';
import { confirmEviction } from './confirm-eviction.ts';
import { isBeforeMaintenance, wantedService, type WantedService } from './decide-compute-service.ts';
import { beforeClosed, decideEviction, type EvictionAction, type EvictionDecision } from './decide-eviction.ts';
import { ownCondition } from './disabled-condition.ts';
import { evictionDraft } from './eviction-draft.ts';
import { hypervisorEvictions, type HypervisorEvictions } from './hypervisor-evictions.ts';
import type { MaintenanceSettings } from './maintenance-settings.ts';
import { settleComputeService, type ServiceContext } from './settle-compute-service.ts';
import { stateEvictingAlone } from './state-evicting-alone.ts';

const NAME = 'HypervisorMaintenance';
const NOT_EVICTED: EvictionDecision = { action: { kind: 'none' }, condition: undefined, isEvicted: false };

export type MaintenanceContext = HypervisorControllerContext & Pick<OperatorContext, 'compute' | 'evictions'>;
type Parts = MaintenanceContext & ServiceContext & { readonly byHost: EvictionsByHost };

/** Opens and closes hosts for new instances, and has those in maintenance evicted. */
export function createMaintenanceController(
  context: MaintenanceContext,
  settings: MaintenanceSettings,
): ControllerOptions {
  const { client, hypervisors, evictions, clock } = context;
  const verified = new VerifiedStates(hypervisors, clock);
  const byHost = new EvictionsByHost(evictions);
  const parts: Parts = { ...context, byHost, claims: new HostClaims(hypervisors, client), verified, settings };
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
    // It is opened for its tests, and may be for more.
    if (isEvicted(hypervisor)) await stateEvictingAlone(parts, { owner: NAME, hypervisor }, NOT_EVICTED, signal);
    return done;
  }
  const evictions = evictionsOf(parts, hypervisor);
  const decision = decideEviction(hypervisor, evictions);
  const wanted = wantedService(hypervisor, evictions);
  if (wanted.kind === 'left') {
    parts.verified.forget(hypervisor);
    await carryOut(parts, hypervisor, decision.action, signal);
    const confirmed = await confirmEviction(parts.client, { hypervisor, evictions }, decision, signal);
    await stateEvictingAlone(parts, { owner: NAME, hypervisor }, confirmed, signal);
    return done;
  }
  return await settle(parts, pass, wanted, { decision, evictions });
}

async function settle(
  parts: Parts,
  pass: HypervisorPass,
  wanted: Exclude<WantedService, { readonly kind: 'left' }>,
  { decision, evictions }: { readonly decision: EvictionDecision; readonly evictions: HypervisorEvictions },
): Promise<Outcome> {
  const { hypervisor, signal } = pass;
  if (isEvicted(hypervisor) && !decision.isEvicted) {
    // Said before anything is done: who is killed after opening a host must not leave it behind as an empty one.
    await say(pass, decision, ownCondition(hypervisor));
    return requeueAfter(0);
  }
  const { action } = decision;
  // One that has succeeded must not be there any more when instances may come.
  if (action.kind === 'delete') await carryOut(parts, hypervisor, action, signal);
  const host = hostIdentity(hypervisor);
  const isGone = isOffboarded(hypervisor);
  const isOutdated = (): boolean => isChanged(parts.hypervisors, hypervisor);
  const service =
    host === undefined || isGone
      ? undefined
      : await settleComputeService(parts, { hypervisor, host, wanted, signal, isOutdated });
  if (service?.kind === 'outdated') return done;
  const isClosed = service === undefined || service.condition.status === 'True';
  const next = isClosed
    ? await confirmEviction(parts.client, { hypervisor, evictions }, decision, signal)
    : beforeClosed(decision);
  if (next.action.kind === 'create') await carryOut(parts, hypervisor, next.action, signal);
  const kept = isGone ? ownCondition(hypervisor) : undefined;
  await say(pass, next, service?.condition ?? kept);
  if (service === undefined) return done;
  return service.failure === undefined ? requeueAfter(service.restMs) : retry(service.failure);
}

async function say(
  { state }: HypervisorPass,
  { condition, isEvicted: evicted }: EvictionDecision,
  disabled: StatedCondition | undefined,
): Promise<void> {
  await state({ fields: { evicted }, conditions: [disabled, condition].filter((each) => each !== undefined) });
}

/** Whether the spec is another one by now; the change brings the hypervisor here again. */
function isChanged({ cache }: OperatorContext['hypervisors'], { metadata }: Hypervisor): boolean {
  const now = cache.get(metadata.name)?.metadata;
  return now?.generation !== metadata.generation || now?.uid !== metadata.uid;
}

/** Whether it was removed from the compute system on purpose: there is nothing to look at any more. */
function isOffboarded({ spec, status }: Hypervisor): boolean {
  const isOut = isConditionTrue(status?.conditions, HypervisorConditionType.offboarded);
  return isOut && spec?.maintenance === MaintenanceMode.termination;
}

function evictionsOf({ evictions, byHost }: Parts, hypervisor: Hypervisor): HypervisorEvictions {
  const { name } = hypervisor.metadata;
  return hypervisorEvictions(hypervisor, evictions.cache.get(name), byHost.of(name));
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
