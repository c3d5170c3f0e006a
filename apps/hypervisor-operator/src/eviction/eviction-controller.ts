import { isComputeError, type ComputeError } from '@smalt/compute';
import {
  done,
  findCondition,
  mappedSource,
  requeueAfter,
  source,
  type ControllerOptions,
  type Outcome,
} from '@smalt/controller-runtime';
import { EvictionConditionType, evictionKind, MaintenanceMode, type Eviction } from '@smalt/fleet-api';

import { retry } from '../compute-failure.ts';
import { hostIdentity } from '../host-identity.ts';
import { OwnedStatus } from '../owned-status.ts';
import { evict } from './evict.ts';
import { isEvictionWorthALook, isHypervisorWorthALook } from './eviction-changes.ts';
import { createEvictionMetrics } from './eviction-metrics.ts';
import { Notebook, type EvictionContext, type EvictionParts, type EvictionPass } from './eviction-parts.ts';
import type { EvictionSettings } from './eviction-settings.ts';
import {
  evictingCondition,
  failureCondition,
  unchangedConditions,
  unchangedFields,
  type EvictingVerdict,
} from './eviction-statement.ts';
import { hasFinalizer, removeFinalizer } from './finalizer.ts';
import { findHypervisor, type EvictedHypervisor } from './find-hypervisor.ts';
import { EVICTIONS_BY_HOST, followEviction, followersOf, leaderOf } from './follow-eviction.ts';
import { lookUpHost } from './look-at-host.ts';
import { MoveLedger } from './move-ledger.ts';
import { cancelEviction, standBack } from './stop-eviction.ts';

const OWNER = 'eviction';
const CATCH_UP_MS = 20;
/** A compute system that fails is not asked again at once. */
const FIRST_RETRY_MS = 250;
/** In polls: moves under way want to be looked after soon when it is back. */
const LONGEST_RETRY = 4;

/** Moves all instances off the hypervisors that Evictions name, several at a time. */
export function createEvictionController(context: EvictionContext, settings: EvictionSettings): ControllerOptions {
  const { client, evictions, hypervisors, recorder, clock } = context;
  evictions.addIndex(EVICTIONS_BY_HOST, ({ spec }) => (spec === undefined ? [] : [spec.hypervisor]));
  const keysFor = (hypervisor: string): readonly string[] =>
    evictions.cache.byIndex(EVICTIONS_BY_HOST, hypervisor).map(({ metadata }) => metadata.name);
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
    ledger: new MoveLedger(evictions),
    metrics: createEvictionMetrics(context.metrics),
    notebook: new Notebook(),
  };
  return {
    name: OWNER,
    concurrency: settings.concurrency,
    timeoutMs: settings.timeoutMs,
    backOff: { firstMs: FIRST_RETRY_MS, longestMs: settings.pollMs * LONGEST_RETRY },
    sources: [
      source(evictions, isEvictionWorthALook),
      mappedSource(evictions, (change) => followersOf(context, change)),
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
  if (!status.hasSeen(eviction)) return requeueAfter(CATCH_UP_MS);
  const isDeleted = eviction.metadata.deletionTimestamp !== undefined;
  if (isDeleted && !hasFinalizer(eviction)) return done;
  const found = await findHypervisor(context, eviction, signal);
  if (found.kind === 'foreign') {
    ledger.forget(key);
    return done;
  }
  if (found.kind !== 'known') return await tellUnknown(parts, eviction, found, signal);
  const notes = notebook.on(key, eviction);
  const pass: EvictionPass = { key, eviction, hypervisor: found.hypervisor, notes, signal };
  try {
    return isDeleted ? await cancelEviction(parts, pass) : await goOn(parts, pass);
  } catch (error) {
    if (!isComputeError(error) || error.code === 'aborted') throw error;
    await tellFailure(parts, eviction, error, signal);
    return retry(error);
  }
}

async function tellUnknown(
  { context, settings, status }: EvictionParts,
  eviction: Eviction,
  found: Exclude<EvictedHypervisor, { kind: 'known' | 'foreign' }>,
  signal: AbortSignal,
): Promise<Outcome> {
  if (eviction.metadata.deletionTimestamp !== undefined) {
    return (await removeFinalizer(context.client, eviction, signal)) ? done : requeueAfter(CATCH_UP_MS);
  }
  const message =
    found.kind === 'unnamed'
      ? 'spec.hypervisor is missing: set it to the name of the hypervisor to empty'
      : `there is no hypervisor "${found.name}", which spec.hypervisor names: see 'kubectl get hypervisors', then delete this eviction and make one with the right name`;
  await tell({ status }, eviction, { kind: 'failed', message }, signal);
  return found.kind === 'unnamed' ? done : requeueAfter(settings.resyncMs);
}

async function goOn(parts: EvictionParts, pass: EvictionPass): Promise<Outcome> {
  const { context, settings } = parts;
  const { eviction, hypervisor, signal } = pass;
  if (hypervisor.spec?.maintenance === MaintenanceMode.ha) return await standBack(parts, pass);
  const evictions = context.evictions.cache.byIndex(EVICTIONS_BY_HOST, hypervisor.metadata.name);
  const leader = leaderOf(evictions, eviction);
  if (leader !== eviction) return await followEviction(parts, pass, leader);
  const identity = hostIdentity(hypervisor);
  if (identity !== undefined) {
    const host = await lookUpHost(parts, pass, identity);
    return host === undefined ? await tellMissing(parts, pass) : await evict(parts, pass, host);
  }
  // What was never registered has nothing to move; what is there all the same under its very name has.
  const host = await context.compute.hosts.find(hypervisor.metadata.name, signal);
  if (host !== undefined) return await evict(parts, pass, host);
  const message = 'eviction completed successfully due to expected case of no hypervisor';
  await tell(parts, eviction, { kind: 'succeeded', message }, signal);
  return requeueAfter(settings.resyncMs);
}

/** The host is registered, and the compute system does not know it. One that was emptied before may well be gone. */
async function tellMissing(parts: EvictionParts, { eviction, hypervisor, signal }: EvictionPass): Promise<Outcome> {
  const old = findCondition(eviction.status?.conditions, EvictionConditionType.evicting);
  if (old?.status === 'False' && old.reason === 'Succeeded') return requeueAfter(parts.settings.resyncMs);
  const id = hypervisor.status?.hypervisorId ?? '';
  const message = `failed to get hypervisor ${id}: got 404, the compute system does not know it; remove its ids from the status of the Hypervisor if it is gone for good`;
  await tell(parts, eviction, { kind: 'failed', message }, signal);
  return requeueAfter(parts.settings.resyncMs);
}

async function tell(
  { status }: Pick<EvictionParts, 'status'>,
  eviction: Eviction,
  verdict: EvictingVerdict,
  signal: AbortSignal,
): Promise<void> {
  const isEmpty = verdict.kind === 'succeeded';
  const left = isEmpty ? { outstandingRamMb: 0, outstandingInstances: [] } : {};
  const change = evictingCondition(verdict, eviction.metadata.generation);
  const fields = { ...unchangedFields(eviction.status), ...left };
  await status.state(eviction, { fields, conditions: unchangedConditions(eviction, [change]) }, signal);
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
