import type { ComputeHost, HostIdentity } from '@smalt/compute';
import { isComputeError } from '@smalt/compute';
import { done, requeueAfter, type Outcome } from '@smalt/controller-runtime';
import { isInFlight, planCancellation } from '@smalt/eviction-plan';
import type { Eviction } from '@smalt/fleet-api';

import { hostIdentity } from '../host-identity.ts';
import { actOnPlan } from './act-on-plan.ts';
import type { EvictionParts, EvictionPass } from './eviction-parts.ts';
import { evictingCondition, evictionFields, migratingCondition, unchangedConditions } from './eviction-statement.ts';
import { removeFinalizer } from './finalizer.ts';
import { lookAtHost, lookUpHost, rememberedOf } from './look-at-host.ts';

/** How soon to look again when an object was changed and the change is not in the cache yet. */
const CATCH_UP_MS = 20;

/** Lets a deleted eviction go once nothing that it began is under way; if that takes too long, it goes all the same. */
export async function cancelEviction(parts: EvictionParts, pass: EvictionPass): Promise<Outcome> {
  const { context, settings } = parts;
  const { eviction, signal } = pass;
  const isLate = context.clock.now() - deletedAt(eviction) >= settings.cancelTimeoutMs;
  try {
    const isOver = await stopMoves(parts, pass, undefined);
    if (!isOver && !isLate) return requeueAfter(settings.firstLookMs);
    if (!isOver) await warn(parts, eviction, 'some of its moves are still under way');
  } catch (error) {
    if (!isComputeError(error) || error.code === 'aborted' || !isLate) throw error;
    await warn(parts, eviction, error.message);
  }
  return (await removeFinalizer(context.client, eviction, signal)) ? done : requeueAfter(CATCH_UP_MS);
}

/** Stops while high availability has the host; it goes on by itself afterwards. */
export async function standBack(parts: EvictionParts, pass: EvictionPass): Promise<Outcome> {
  const { settings } = parts;
  const name = pass.hypervisor.metadata.name;
  const why = `stopped: hypervisor ${name} is in maintenance mode ha; the eviction goes on when that ends`;
  const isOver = await stopMoves(parts, pass, why);
  return requeueAfter(isOver ? settings.resyncMs : settings.firstLookMs);
}

/** Stops what we began and says whether all of that is over. */
async function stopMoves(parts: EvictionParts, pass: EvictionPass, why: string | undefined): Promise<boolean> {
  const { eviction } = pass;
  const identity = hostIdentity(pass.hypervisor);
  const isBusy = rememberedOf(eviction).some((memory) => memory.attempts > 0 && isInFlight(memory));
  const host = isBusy && identity !== undefined ? await lookUpHost(parts, pass, identity) : undefined;
  if (host === undefined) {
    parts.ledger.forget(pass.key);
    await stateStopped(parts, eviction, pass.signal, why);
    return true;
  }
  return await stopAt(parts, pass, host, why);
}

async function stopAt(
  parts: EvictionParts,
  pass: EvictionPass,
  host: ComputeHost & HostIdentity,
  why: string | undefined,
): Promise<boolean> {
  const { context, settings, ledger, status } = parts;
  const { eviction, key, signal } = pass;
  const seen = await lookAtHost(parts, pass, host);
  const view = { ...seen, targets: new Map(), mayStart: false, others: ledger.others(key) };
  const { plan, isOver } = planCancellation(view, settings.onCancel);
  ledger.set(key, plan.counts.moving, []);
  const migrating = migratingCondition(eviction, plan);
  const changes = [
    ...(migrating === undefined ? [] : [migrating]),
    ...(why === undefined ? [] : [evictingCondition({ kind: 'failed', message: why }, eviction.metadata.generation)]),
  ];
  const fields = evictionFields(plan, host.hypervisorId, {});
  await status.state(eviction, { fields, conditions: unchangedConditions(eviction, changes) }, signal);
  await actOnPlan(parts, pass, plan);
  context.logger.info({ resource: key, step: 'stop', isOver }, 'stopped the eviction');
  return isOver;
}

async function stateStopped(
  { status }: EvictionParts,
  eviction: Eviction,
  signal: AbortSignal,
  why: string | undefined,
): Promise<void> {
  if (why === undefined) return;
  const change = evictingCondition({ kind: 'failed', message: why }, eviction.metadata.generation);
  const { conditions: _, ...fields } = eviction.status ?? {};
  await status.state(eviction, { fields, conditions: unchangedConditions(eviction, [change]) }, signal);
}

async function warn({ context }: EvictionParts, eviction: Eviction, what: string): Promise<void> {
  const message = `The eviction is let go although its moves could not be stopped: ${what}`;
  await context.recorder.record(eviction, 'Warning', 'CancellationTimedOut', message);
}

function deletedAt({ metadata }: Eviction): number {
  const time = Date.parse(metadata.deletionTimestamp ?? '');
  return Number.isNaN(time) ? 0 : time;
}
