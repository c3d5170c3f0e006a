import { done, findCondition, requeueAfter, type ControllerOptions, type Outcome } from '@smalt/controller-runtime';
import { HypervisorConditionType } from '@smalt/fleet-api';

import { retry } from '../hosts/compute-failure.ts';
import { HostClaims, twinMessage } from '../hosts/host-claims.ts';
import {
  hypervisorController,
  type HypervisorControllerContext,
  type HypervisorPass,
} from '../frame/controller-of-hypervisors.ts';
import type { OperatorContext } from '../operator-context.ts';
import { VerifiedStates } from '../hosts/verified-states.ts';
import { decideTraits, type WantedTraits } from './decide-traits.ts';
import { reachTraits } from './reach-traits.ts';
import { failedTraits, traitsCondition } from './traits-condition.ts';
import type { TraitsSettings } from './traits-settings.ts';

export type TraitsContext = HypervisorControllerContext & Pick<OperatorContext, 'compute'>;

interface Parts {
  readonly compute: OperatorContext['compute'];
  readonly claims: HostClaims;
  readonly verified: VerifiedStates;
  readonly settings: TraitsSettings;
}

/** Keeps the custom traits of hosts as their specs want them. */
export function createTraitsController(context: TraitsContext, settings: TraitsSettings): ControllerOptions {
  const { client, compute, hypervisors, clock } = context;
  const claims = new HostClaims(hypervisors, client);
  const parts = { compute, claims, settings, verified: new VerifiedStates(hypervisors, clock) };
  return hypervisorController(context, {
    name: 'traits',
    conditionTypes: [HypervisorConditionType.traitsUpdated],
    fieldNames: ['traits'],
    concurrency: settings.concurrency,
    reconcile: (pass) => reconcile(parts, pass),
  });
}

async function reconcile(parts: Parts, pass: HypervisorPass): Promise<Outcome> {
  const wanted = decideTraits(pass.hypervisor);
  switch (wanted.kind) {
    case 'wait':
      return done;
    case 'apply':
      return await apply(parts, pass, wanted);
  }
}

async function apply(
  { compute, claims, verified, settings }: Parts,
  { hypervisor, signal, state }: HypervisorPass,
  { host, names, badNames }: Extract<WantedTraits, { readonly kind: 'apply' }>,
): Promise<Outcome> {
  const applied = hypervisor.status?.traits ?? [];
  const twin = claims.twinOf(host, hypervisor);
  if (twin !== undefined) {
    verified.forget(hypervisor);
    await state({ fields: { traits: applied }, conditions: [failedTraits(twinMessage(twin))] });
    return requeueAfter(settings.resyncMs);
  }
  const wantedText = `${host.hypervisorId}\n${names.join('\n')}\n\n${badNames.join('\n')}`;
  const isStated = findCondition(hypervisor.status?.conditions, HypervisorConditionType.traitsUpdated) !== undefined;
  const restMs = isStated ? verified.restMs(hypervisor, wantedText) : 0;
  if (restMs > 0) return requeueAfter(restMs);
  const wish = { names, applied, keepForeign: settings.keepForeign };
  const task = { host, wish, attempts: settings.conflictAttempts };
  const { account = applied, unknownNames, failure } = await reachTraits(compute.traits, task, signal);
  if (failure === undefined) {
    await state({ fields: { traits: account }, conditions: [traitsCondition(badNames, unknownNames)] });
    verified.remember(hypervisor, wantedText, settings.resyncMs);
    return requeueAfter(settings.resyncMs);
  }
  await state({ fields: { traits: account }, conditions: [failedTraits(failure.message)] });
  return retry(failure);
}
