import { isComputeError, type ComputeHost } from '@smalt/compute';
import { catchUp, done, requeueAfter, type Outcome } from '@smalt/controller-runtime';
import { isInFlight, planCancellation, type RememberedInstance } from '@smalt/eviction-plan';
import type { Eviction } from '@smalt/fleet-api';

import { actOnPlan, forgetAnswers } from './act-on-plan.ts';
import type { EvictionParts, EvictionPass, HypervisorPass } from './eviction-parts.ts';
import type { EvictionSettings } from './eviction-settings.ts';
import {
  evictingCondition,
  evictionFields,
  haltedConditions,
  haltedFields,
  migratingCondition,
  unchangedConditions,
} from './eviction-statement.ts';
import { findFollowedHost } from './find-host.ts';
import { removeFinalizer } from './finalizer.ts';
import { lookAtHost, rememberedOf } from './look-at-host.ts';

/** Lets a deleted eviction go once nothing that it began is under way; if that takes too long, it goes all the same. */
export async function cancelEviction(parts: EvictionParts, pass: EvictionPass): Promise<Outcome> {
  const { context, settings } = parts;
  const { eviction, signal } = pass;
  try {
    const isOver = await stopMoves(parts, pass, { why: undefined, onCancel: settings.onCancel });
    if (!isOver && !isLate(parts, pass)) return requeueAfter(settings.firstLookMs);
    if (!isOver) await warn(parts, eviction, 'some of its moves are still under way');
  } catch (error) {
    if (!isComputeError(error) || error.code === 'aborted' || !isLate(parts, pass)) throw error;
    await warn(parts, eviction, error.message);
  }
  return (await removeFinalizer(context.client, eviction, signal)) ? done : catchUp;
}

/** Live moves can be stopped soon. Cold ones take their time, and nobody but us would confirm them. */
function isLate({ context, settings }: EvictionParts, { eviction, notes }: EvictionPass): boolean {
  const { cancelTimeoutMs, limits } = settings;
  const isCold = notes.isCold === true || rememberedOf(eviction).some(({ state }) => state === 'Confirming');
  const timeoutMs = isCold ? Math.max(cancelTimeoutMs, limits.coldTimeoutMs) : cancelTimeoutMs;
  return context.clock.now() - deletedAt(eviction) >= timeoutMs;
}

/** Stops while high availability has the host; it goes on by itself afterwards. */
export async function standBack(parts: EvictionParts, pass: HypervisorPass): Promise<Outcome> {
  const { settings } = parts;
  const name = pass.hypervisor.metadata.name;
  const why = `stopped: hypervisor ${name} is in maintenance mode ha; the eviction goes on when that ends`;
  const isOver = await stopMoves(parts, pass, { why, onCancel: settings.onCancel });
  return requeueAfter(isOver ? settings.resyncMs : settings.firstLookMs);
}

/** Begins nothing more, and sees to it that what was begun comes to its end. */
export async function waitForMoves(parts: EvictionParts, pass: EvictionPass, why: string): Promise<Outcome> {
  const { settings } = parts;
  const isOver = await stopMoves(parts, pass, { why, onCancel: 'finish' });
  return requeueAfter(isOver ? settings.resyncMs : settings.pollMs);
}

interface Stop {
  /** What the status says of it; nothing about an eviction that goes anyway. */
  readonly why: string | undefined;
  readonly onCancel: EvictionSettings['onCancel'];
}

/** Stops what we began and says whether all of that is over. */
async function stopMoves(parts: EvictionParts, pass: EvictionPass, stop: Stop): Promise<boolean> {
  const isBusy = rememberedOf(pass.eviction).some(mayBeUnderWay);
  const host = isBusy ? await findFollowedHost(parts, pass) : undefined;
  if (host !== undefined) return await stopAt(parts, pass, host, stop);
  parts.ledger.forget(pass.key);
  await stateStopped(parts, pass, stop);
  return true;
}

/** A cold move that took too long is called failed, and may come to its end all the same. */
function mayBeUnderWay(memory: RememberedInstance): boolean {
  return memory.attempts > 0 && (isInFlight(memory) || memory.state === 'Failed');
}

async function stopAt(
  parts: EvictionParts,
  pass: EvictionPass,
  host: ComputeHost,
  { why, onCancel }: Stop,
): Promise<boolean> {
  const { context, ledger, status } = parts;
  const { eviction, key, notes, signal } = pass;
  const seen = await lookAtHost(parts, pass, host);
  const view = { ...seen, targets: new Map(), mayStart: false, others: ledger.others(key) };
  const { plan, isOver, isCold } = planCancellation(view, onCancel);
  notes.isCold = isCold;
  ledger.set(key, plan.counts.moving, []);
  forgetAnswers(notes, plan);
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
  { eviction, signal }: EvictionPass,
  { why }: Stop,
): Promise<void> {
  if (why === undefined) return;
  const conditions = unchangedConditions(eviction, [
    evictingCondition({ kind: 'failed', message: why }, eviction.metadata.generation),
    ...haltedConditions(eviction, why),
  ]);
  await status.state(eviction, { fields: haltedFields(eviction.status, false), conditions }, signal);
}

async function warn({ context }: EvictionParts, eviction: Eviction, what: string): Promise<void> {
  const message = `The eviction is let go although its moves could not be stopped: ${what}`;
  await context.recorder.record(eviction, 'Warning', 'CancellationTimedOut', message);
}

function deletedAt({ metadata }: Eviction): number {
  const time = Date.parse(metadata.deletionTimestamp ?? '');
  return Number.isNaN(time) ? 0 : time;
}
