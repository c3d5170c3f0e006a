import { isComputeError, type ComputeAggregate } from '@smalt/compute';
import { done, requeueAfter, type ControllerOptions, type Outcome } from '@smalt/controller-runtime';
import { HypervisorConditionType, type Aggregate, type Hypervisor } from '@smalt/fleet-api';

import { computeFailure, retry } from '../hosts/compute-failure.ts';
import { HostClaims, twinMessage } from '../hosts/host-claims.ts';
import { hostIdentity } from '../hosts/host-identity.ts';
import {
  hypervisorController,
  type HypervisorControllerContext,
  type HypervisorPass,
} from '../frame/controller-of-hypervisors.ts';
import type { OperatorContext } from '../operator-context.ts';
import { VerifiedStates } from '../hosts/verified-states.ts';
import type { AggregatesSettings } from './aggregates-settings.ts';
import { applyMemberships, type AppliedMemberships } from './apply-memberships.ts';
import { decideAggregates, failedAggregates, type WantedAggregates } from './decide-aggregates.ts';
import { planMemberships } from './plan-memberships.ts';

export type AggregatesContext = HypervisorControllerContext & Pick<OperatorContext, 'compute'>;

interface Parts {
  readonly compute: OperatorContext['compute'];
  readonly claims: HostClaims;
  readonly verified: VerifiedStates;
  readonly settings: AggregatesSettings;
}

/** Keeps hosts in the aggregates that they belong in. */
export function createAggregatesController(
  context: AggregatesContext,
  settings: AggregatesSettings,
): ControllerOptions {
  const { client, compute, hypervisors, clock } = context;
  const claims = new HostClaims(hypervisors, client);
  const parts = { compute, claims, settings, verified: new VerifiedStates(hypervisors, clock) };
  return hypervisorController(context, {
    name: 'aggregates',
    conditionTypes: [HypervisorConditionType.aggregatesUpdated],
    fieldNames: ['aggregates'],
    concurrency: settings.concurrency,
    reconcile: (pass) => reconcile(parts, pass),
  });
}

async function reconcile(parts: Parts, pass: HypervisorPass): Promise<Outcome> {
  const { hypervisor, state } = pass;
  const wanted = decideAggregates(hypervisor, parts.settings.testAggregate);
  switch (wanted.kind) {
    case 'wait':
      return done;
    case 'keep':
      parts.verified.forget(hypervisor);
      await state({ fields: { aggregates: hypervisor.status?.aggregates ?? [] }, conditions: [wanted.condition] });
      return done;
    case 'apply':
      return await apply(parts, pass, wanted);
  }
}

async function apply(
  parts: Parts,
  { hypervisor, signal, state }: HypervisorPass,
  { names, condition }: Extract<WantedAggregates, { readonly kind: 'apply' }>,
): Promise<Outcome> {
  const { claims, verified, settings } = parts;
  const current = hypervisor.status?.aggregates ?? [];
  const host = hostIdentity(hypervisor);
  const twin = host && claims.twinOf(host, hypervisor);
  if (twin !== undefined) {
    verified.forget(hypervisor);
    await state({ fields: { aggregates: current }, conditions: [failedAggregates(twinMessage(twin))] });
    return requeueAfter(settings.resyncMs);
  }
  const wantedText = [hypervisor.status?.serviceId, ...names].join('\n');
  const restMs = isSame(current, names) ? verified.restMs(hypervisor, wantedText) : 0;
  if (restMs > 0) {
    await state({ fields: { aggregates: current }, conditions: [condition] });
    return requeueAfter(restMs);
  }
  const { aggregates, failure } = await reach(parts, hypervisor, names, signal);
  const fields = { aggregates: aggregates?.map(aggregateStatus) ?? current };
  if (failure === undefined) {
    verified.remember(hypervisor, wantedText, settings.resyncMs);
    await state({ fields, conditions: [condition] });
    return requeueAfter(settings.resyncMs);
  }
  verified.forget(hypervisor);
  await state({ fields, conditions: [failedAggregates(failure.message)] });
  return retry(failure);
}

type Reached = Pick<AppliedMemberships, 'failure'> & {
  /** Undefined when it could not even be seen which ones the host is in. */
  readonly aggregates: AppliedMemberships['aggregates'] | undefined;
};

async function reach(
  { compute, settings }: Parts,
  hypervisor: Hypervisor,
  names: readonly string[],
  signal: AbortSignal,
): Promise<Reached> {
  const host = hostIdentity(hypervisor);
  if (host === undefined) return { aggregates: undefined, failure: undefined };
  try {
    const membership = await compute.aggregates.membership(host, signal);
    const ours = settings.keepForeign ? oursOf(hypervisor, settings) : undefined;
    const plan = planMemberships({ names, ours }, membership);
    const task = { hostName: hypervisor.metadata.name, host, plan };
    const { aggregates, failure } = await applyMemberships(compute.aggregates, task, signal);
    return { aggregates: inOrder(aggregates, names), failure };
  } catch (error) {
    // A host that is registered no longer is in no aggregate.
    if (names.length === 0 && isComputeError(error, 'not-found')) return { aggregates: [], failure: undefined };
    return { aggregates: undefined, failure: computeFailure(error) };
  }
}

/** The aggregates that the host may be taken out of when it is to stay in those of others. */
function oursOf({ spec, status }: Hypervisor, { testAggregate }: AggregatesSettings): ReadonlySet<string> {
  return new Set([testAggregate, ...(spec?.aggregates ?? []), ...(status?.aggregates ?? []).map(({ name }) => name)]);
}

function inOrder(aggregates: readonly ComputeAggregate[], names: readonly string[]): readonly ComputeAggregate[] {
  const place = ({ name }: ComputeAggregate): number => (names.includes(name) ? names.indexOf(name) : names.length);
  return aggregates.toSorted((a, b) => place(a) - place(b));
}

function isSame(current: readonly Aggregate[], names: readonly string[]): boolean {
  return current.length === names.length && names.every((name) => current.some((each) => each.name === name));
}

function aggregateStatus({ name, uuid, metadata }: ComputeAggregate): Aggregate {
  return { name, uuid, ...(metadata !== undefined && { metadata }) };
}
