import { isComputeError, type ComputeError } from '@smalt/compute';
import {
  catchUp,
  done,
  findCondition,
  mappedSource,
  requeueAfter,
  source,
  type ControllerOptions,
  type Outcome,
} from '@smalt/controller-runtime';
import {
  EvictionConditionReason,
  EvictionConditionType,
  evictionKind,
  MaintenanceMode,
  type Eviction,
} from '@smalt/fleet-api';

import { retry } from '../hosts/compute-failure.ts';
import { HostClaims } from '../hosts/host-claims.ts';
import { EvictionsByHost } from '../hosts/evictions-by-host.ts';
import { OwnedStatus } from '../frame/owned-status.ts';
import { evict } from './evict.ts';
import { isEvictionWorthALook, isHypervisorWorthALook } from './eviction-changes.ts';
import { createEvictionMetrics } from './eviction-metrics.ts';
import {
  Notebook,
  type EvictionContext,
  type EvictionParts,
  type EvictionPass,
  type HypervisorPass,
} from './eviction-parts.ts';
import type { EvictionSettings } from './eviction-settings.ts';
import {
  evictingCondition,
  failureCondition,
  haltedConditions,
  haltedFields,
  unchangedConditions,
  unchangedFields,
  type EvictingVerdict,
} from './eviction-statement.ts';
import { hasFinalizer } from './finalizer.ts';
import { findHost } from './find-host.ts';
import { findHypervisor, type EvictedHypervisor } from './find-hypervisor.ts';
import { followEviction, followersOf, leaderOf } from './follow-eviction.ts';
import { MoveLedger } from './move-ledger.ts';
import { cancelEviction, standBack, waitForMoves } from './stop-eviction.ts';

const OWNER = 'eviction';
/** A compute system that fails is not asked again at once. */
const FIRST_RETRY_MS = 250;
/** In polls: moves under way want to be looked after soon when it is back. */
const LONGEST_RETRY = 4;

/** Moves all instances off the hypervisors that Evictions name, several at a time. */
export function createEvictionController(context: EvictionContext, settings: EvictionSettings): ControllerOptions {
  const { client, evictions, hypervisors, recorder, clock } = context;
  const byHost = new EvictionsByHost(evictions);
  const keysFor = (hypervisor: string): readonly string[] => byHost.of(hypervisor).map(({ metadata }) => metadata.name);
  const parts: EvictionParts = {
    context,
    settings,
    status: new OwnedStatus({
      client: client.resource(evictionKind),
      informer: evictions,
      recorder,
      clock,
      owner: OWNER,
      conditionTypes: Object.values(EvictionConditionType),
      fieldNames: ['hypervisorServiceId', 'instances', 'outstandingInstances', 'outstandingRamMb', 'progress'],
    }),
    byHost,
    ledger: new MoveLedger(evictions),
    metrics: createEvictionMetrics(context.metrics),
    notebook: new Notebook(),
    claims: new HostClaims(hypervisors, client),
  };
  return {
    name: OWNER,
    concurrency: settings.concurrency,
    timeoutMs: settings.timeoutMs,
    backOff: { firstMs: FIRST_RETRY_MS, longestMs: settings.pollMs * LONGEST_RETRY },
    sources: [
      source(evictions, isEvictionWorthALook),
      mappedSource(evictions, (change) => followersOf(byHost, change)),
      mappedSource(hypervisors, (change) => (isHypervisorWorthALook(change) ? keysFor(change.key) : [])),
    ],
    reconcile: (key, signal) => reconcile(parts, key, signal),
  };
}

async function reconcile(parts: EvictionParts, key: string, signal: AbortSignal): Promise<Outcome> {
  const { context, ledger, notebook, status } = parts;
  const eviction = context.evictions.cache.get(key);
  if (eviction === undefined) {
    ledger.forget(key);
    notebook.forget(key);
    return done;
  }
  if (!status.hasSeen(eviction)) return catchUp;
  const isDeleted = eviction.metadata.deletionTimestamp !== undefined;
  if (isDeleted && !hasFinalizer(eviction)) return done;
  const found = await findHypervisor(context, eviction, signal);
  if (found.kind === 'foreign') {
    ledger.forget(key);
    return done;
  }
  const hypervisor = found.kind === 'known' ? found.hypervisor : undefined;
  const pass: EvictionPass = { key, eviction, hypervisor, notes: notebook.on(key, eviction), signal };
  try {
    if (isDeleted) return await cancelEviction(parts, pass);
    if (found.kind === 'known') return await goOn(parts, { ...pass, hypervisor: found.hypervisor });
    return await tellUnknown(parts, pass, found);
  } catch (error) {
    if (!isComputeError(error) || error.code === 'aborted') throw error;
    await tellFailure(parts, eviction, error, signal);
    return retry(error);
  }
}

async function tellUnknown(
  parts: EvictionParts,
  pass: EvictionPass,
  found: Exclude<EvictedHypervisor, { kind: 'known' | 'foreign' }>,
): Promise<Outcome> {
  if (found.kind === 'unnamed') {
    const message = 'spec.hypervisor is missing: set it to the name of the hypervisor to empty';
    return await tell(parts, pass, { kind: 'failed', message });
  }
  const why = `there is no hypervisor "${found.name}", which spec.hypervisor names: see 'kubectl get hypervisors', then delete this eviction and make one with the right name`;
  return await waitForMoves(parts, pass, why);
}

async function goOn(parts: EvictionParts, pass: HypervisorPass): Promise<Outcome> {
  const { byHost } = parts;
  const { eviction, hypervisor } = pass;
  if (hypervisor.spec?.maintenance === MaintenanceMode.ha) return await standBack(parts, pass);
  const leader = leaderOf(byHost.of(hypervisor.metadata.name), eviction);
  if (leader !== eviction) return await followEviction(parts, pass, leader);
  const found = await findHost(parts, pass);
  switch (found.kind) {
    case 'found':
      return await evict(parts, pass, found.host);
    case 'none':
      return await tell(parts, pass, { kind: 'succeeded', message: NO_HOST });
    case 'lost':
      // One that was emptied before may well be gone.
      return hasSucceeded(eviction) ? requeueAfter(parts.settings.resyncMs) : await tellFailed(parts, pass, found);
    case 'another':
      return await tellFailed(parts, pass, found);
  }
}

const NO_HOST = 'eviction completed successfully due to expected case of no hypervisor';

function hasSucceeded({ status }: Eviction): boolean {
  const evicting = findCondition(status?.conditions, EvictionConditionType.evicting);
  return evicting?.status === 'False' && evicting.reason === EvictionConditionReason.Evicting.succeeded;
}

async function tellFailed(
  parts: EvictionParts,
  pass: EvictionPass,
  { message }: { readonly message: string },
): Promise<Outcome> {
  return await tell(parts, pass, { kind: 'failed', message });
}

/** Says how it stands when there is no host to look at: nothing that was begun there is followed any more. */
async function tell(
  { status, ledger, settings }: EvictionParts,
  { key, eviction, signal }: EvictionPass,
  verdict: Exclude<EvictingVerdict, { kind: 'running' }>,
): Promise<Outcome> {
  ledger.forget(key);
  const fields = haltedFields(eviction.status, verdict.kind === 'succeeded');
  const conditions = unchangedConditions(eviction, [
    evictingCondition(verdict, eviction.metadata.generation),
    ...haltedConditions(eviction, verdict.message),
  ]);
  await status.state(eviction, { fields, conditions }, signal);
  return requeueAfter(settings.resyncMs);
}

/** The compute system did not answer as it should: that is told, and tried again. */
async function tellFailure(
  { status }: EvictionParts,
  eviction: Eviction,
  error: ComputeError,
  signal: AbortSignal,
): Promise<void> {
  const old = findCondition(eviction.status?.conditions, EvictionConditionType.evicting);
  const evicting = old === undefined ? [evictingCondition({ kind: 'running' }, eviction.metadata.generation)] : [];
  const conditions = unchangedConditions(eviction, [...evicting, failureCondition(eviction, error.message)]);
  await status.state(eviction, { fields: unchangedFields(eviction.status), conditions }, signal);
}
