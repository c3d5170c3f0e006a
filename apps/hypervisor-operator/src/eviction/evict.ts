import type { ComputeHost, ComputeInstance, HostIdentity } from '@smalt/compute';
import { catchUp, isConditionTrue, requeueAfter, type Outcome } from '@smalt/controller-runtime';
import {
  checkPreflight,
  isGivenUp,
  isInFlight,
  planMoves,
  type EvictionPlan,
  type EvictionView,
  type RememberedInstance,
} from '@smalt/eviction-plan';
import { HypervisorConditionType } from '@smalt/fleet-api';

import { actOnPlan, forgetAnswers } from './act-on-plan.ts';
import { decideNextLook } from './decide-next-look.ts';
import { forgetFailures, isRetryAsked } from './decide-retry.ts';
import type { EvictionParts, HypervisorPass } from './eviction-parts.ts';
import {
  evictingCondition,
  evictionFields,
  judgeEviction,
  migratingCondition,
  preflightCondition,
  unchangedConditions,
  unchangedFields,
  type PreflightResult,
} from './eviction-statement.ts';
import { addFinalizer, hasFinalizer, RETRY_ANNOTATION, removeRetryAnnotation } from './finalizer.ts';
import { isDown, lookAtHost, lookUpTargets, rememberedOf } from './look-at-host.ts';
import { measure } from './measure-moves.ts';
import { rateFields, type TransferRate } from './transfer-rate.ts';

/** Empties a host: looks, plans, writes down what will be asked for, asks for it, and says when to look again. */
export async function evict(parts: EvictionParts, pass: HypervisorPass, host: ComputeHost): Promise<Outcome> {
  const { context, settings } = parts;
  const { eviction, key, signal } = pass;
  const isDisabled = isHostDisabled(pass, host);
  if (!isDisabled && rememberedOf(eviction).length === 0) return await waitUntilDisabled(parts, pass);
  const isRetry = isRetryAsked(eviction);
  const seen = await lookAtHost(parts, pass, host);
  const view = isRetry ? { ...seen, remembered: forgetFailures(seen.remembered) } : seen;
  const candidates = candidatesOf(view);
  const { result, targets } = await preflight(parts, pass, { host, isDisabled, candidates });
  const isHeld = !isDisabled || isDown(host);
  const mayStart = !isHeld && (settings.preflight === 'best-effort' || hasRoom(result));
  // No wait from here until the ledger has it: other evictions count on it.
  const plan = planMoves({ ...view, targets, mayStart, others: parts.ledger.others(key) });
  parts.ledger.set(key, plan.counts.moving, targetsOf(plan));
  if (plan.steps.length > 0 && !hasFinalizer(eviction)) {
    await addFinalizer(context.client, eviction, signal);
    return catchUp;
  }
  forgetAnswers(pass.notes, plan);
  const rate = await measure(parts, pass, plan.open);
  const verdict = await stateAll(parts, pass, { plan, result, host, rate });
  if (eviction.metadata.annotations?.[RETRY_ANNOTATION] !== undefined) {
    await removeRetryAnnotation(context.client, eviction, signal);
  }
  const retryAfterMs = await actOnPlan(parts, pass, plan);
  return requeueAfter(decideNextLook({ verdict, plan, settings, retryAfterMs, now: context.clock.now() }));
}

/** Both must say so: the condition that maintenance states, and the compute system itself. */
function isHostDisabled({ hypervisor }: HypervisorPass, host: ComputeHost): boolean {
  const type = HypervisorConditionType.hypervisorDisabled;
  return isConditionTrue(hypervisor.status?.conditions, type) && !host.isEnabled;
}

async function waitUntilDisabled({ status, settings }: EvictionParts, pass: HypervisorPass): Promise<Outcome> {
  const { eviction, signal } = pass;
  const conditions = unchangedConditions(eviction, [
    evictingCondition({ kind: 'running' }, eviction.metadata.generation),
    preflightCondition({ kind: 'not-disabled' }),
  ]);
  await status.state(eviction, { fields: unchangedFields(eviction.status), conditions }, signal);
  return requeueAfter(settings.pollMs);
}

/** Those that stand still and are to be moved: those on their way have found their room, and the others wait for nobody. */
function candidatesOf({
  instances,
  remembered,
  limits,
}: Pick<EvictionView, 'instances' | 'remembered' | 'limits'>): readonly ComputeInstance[] {
  const isSettled = (memory: RememberedInstance): boolean =>
    isInFlight(memory) || (isGivenUp(memory) && memory.attempts >= limits.attempts);
  const settled = new Set(remembered.filter(isSettled).map(({ id }) => id));
  return instances.filter(({ id, state }) => state !== 'moving' && state !== 'failed' && !settled.has(id));
}

interface Checked {
  readonly result: PreflightResult;
  readonly targets: EvictionView['targets'];
}

interface PreflightQuestion {
  readonly host: ComputeHost;
  readonly isDisabled: boolean;
  readonly candidates: readonly ComputeInstance[];
}

async function preflight(
  parts: EvictionParts,
  pass: HypervisorPass,
  { host, isDisabled, candidates }: PreflightQuestion,
): Promise<Checked> {
  if (!isDisabled) return { result: { kind: 'not-disabled' }, targets: new Map() };
  // A host that was switched off after all had left it is as it should be.
  if (isDown(host) && candidates.length > 0) return { result: { kind: 'down', host }, targets: new Map() };
  const known = await lookUpTargets(parts, pass, candidates);
  if (known.kind === 'unknown') return { result: known, targets: new Map() };
  const targets = known.byInstance;
  const report = checkPreflight({ instances: candidates, targets, rules: parts.settings.limits });
  return { result: { kind: 'checked', report }, targets };
}

function hasRoom(result: PreflightResult): boolean {
  return result.kind === 'checked' && !result.report.isRoomMissing;
}

function targetsOf({ open }: EvictionPlan): readonly string[] {
  return open.flatMap(({ targetName }) => targetName ?? []);
}

interface Findings {
  readonly plan: EvictionPlan;
  readonly result: PreflightResult;
  readonly host: HostIdentity;
  readonly rate: TransferRate | undefined;
}

/** States what is the case, and with it remembers what is about to be asked for. */
async function stateAll({ status }: EvictionParts, pass: HypervisorPass, { plan, result, host, rate }: Findings) {
  const { eviction, signal } = pass;
  const verdict = judgeEviction(plan);
  const migrating = migratingCondition(eviction, plan);
  const conditions = [
    evictingCondition(verdict, eviction.metadata.generation),
    preflightCondition(result),
    ...(migrating === undefined ? [] : [migrating]),
  ];
  const fields = evictionFields(plan, host.hypervisorId, rateFields(rate, plan.waitingMemoryMiB));
  await status.state(eviction, { fields, conditions }, signal);
  return verdict;
}
