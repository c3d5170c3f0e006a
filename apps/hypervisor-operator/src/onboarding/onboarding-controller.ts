import type { ComputeHost, HostIdentity } from '@smalt/compute';
import { done, requeueAfter, type ControllerOptions, type Outcome } from '@smalt/controller-runtime';
import { HypervisorConditionType, hypervisorKind } from '@smalt/fleet-api';
import { isNotFound } from '@smalt/kube';

import {
  hypervisorController,
  type HypervisorControllerContext,
  type HypervisorPass,
} from '../hypervisor-controller.ts';
import type { OperatorContext } from '../operator-context.ts';
import { VerifiedStates } from '../verified-states.ts';
import {
  decideCompletion,
  decideOnboarding,
  isKept,
  isRetryOver,
  ONBOARDING_ANNOTATION,
  type OnboardingStep,
} from './decide-onboarding.ts';
import { tell, tellFailure } from './onboarding-pass.ts';
import { passedTest } from './onboarding-record.ts';
import type { OnboardingSettings } from './onboarding-settings.ts';
import { ovsNodesOf } from './ovs-nodes.ts';
import { RecentStarts } from './recent-starts.ts';
import { removeTestInstances } from './remove-test-instances.ts';
import { SmokeTestRun, type SmokeTestContext } from './run-smoke-test.ts';
import { testInstancePrefix } from './test-instance-name.ts';

const NAME = 'onboarding';
/** Begins like the reasons of maintenance, which may take it back. */
const CLOSED_REASON = 'Hypervisor CRD: onboarding was aborted';

export type OnboardingContext = HypervisorControllerContext & Pick<OperatorContext, 'compute' | 'ovsNodes' | 'ignore'>;

type OnboardingParts = OnboardingContext & SmokeTestContext & { readonly verified: VerifiedStates };
type Step<K extends OnboardingStep['kind']> = Extract<OnboardingStep, { readonly kind: K }>;

/**
 * Takes hosts into use: finds out their ids, tests them while only tests may use them, and hands them over. Owns
 * `hypervisorId`, `serviceId`, `smokeTest` and the condition `Onboarding`.
 */
export function createOnboardingController(
  context: OnboardingContext,
  settings: OnboardingSettings,
): ControllerOptions {
  const ovsNodes = ovsNodesOf(context.ovsNodes);
  const { hypervisors, clock } = context;
  const recentStarts = new RecentStarts(hypervisors, clock);
  const parts = { ...context, recentStarts, verified: new VerifiedStates(hypervisors, clock) };
  const controller = hypervisorController(context, {
    name: NAME,
    conditionTypes: [HypervisorConditionType.onboarding],
    fieldNames: ['hypervisorId', 'serviceId', 'smokeTest'],
    concurrency: settings.concurrency,
    timeoutMs: settings.timeoutMs,
    sources: ovsNodes.sources,
    reconcile: async (pass) => {
      const { hypervisor } = pass;
      const facts = { hypervisor, ovsNode: ovsNodes.of(hypervisor.metadata.name) };
      if (isRetryOver(hypervisor)) await takeRetryAway(context, pass);
      return await new OnboardingAct(parts, settings, pass).perform(decideOnboarding(facts, settings));
    },
  });
  // Nobody waits a quarter of an hour for a compute system that is back.
  return { ...controller, backOff: { longestMs: settings.pollMs } };
}

async function takeRetryAway({ client }: OnboardingContext, { hypervisor, signal }: HypervisorPass): Promise<void> {
  const fields = { metadata: { annotations: { [ONBOARDING_ANNOTATION]: null } } };
  try {
    await client
      .resource(hypervisorKind)
      .patch(hypervisor.metadata.name, 'merge', fields, { fieldManager: NAME, signal });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function textOf({ hypervisorId, serviceId }: HostIdentity): string {
  return `${hypervisorId} ${serviceId}`;
}

/** Does what was decided about one host. */
class OnboardingAct {
  readonly #context: OnboardingParts;
  readonly #settings: OnboardingSettings;
  readonly #pass: HypervisorPass;

  constructor(context: OnboardingParts, settings: OnboardingSettings, pass: HypervisorPass) {
    this.#context = context;
    this.#settings = settings;
    this.#pass = pass;
  }

  async perform(step: OnboardingStep): Promise<Outcome> {
    switch (step.kind) {
      case 'rest':
        return done;
      case 'discover':
        return await this.#discover(step);
      case 'verify':
        return await this.#verify(step);
      case 'tell':
        await tell(this.#pass, step.record);
        return step.afterMs === undefined ? done : requeueAfter(step.afterMs);
      case 'enable':
        return await this.#enable(step);
      case 'test':
        return await this.#test(step);
      case 'clean-up':
        return await this.#cleanUp(step);
    }
  }

  async #discover({ hostName, record, ifUnknown }: Step<'discover'>): Promise<Outcome> {
    let host: ComputeHost | undefined;
    try {
      host = await this.#context.compute.hosts.find(hostName, this.#pass.signal);
    } catch (error) {
      // What a host has reached is not worth less because it cannot be looked up now.
      if (isKept(record.condition?.reason)) throw error;
      return await tellFailure(this.#pass, record, `could not look up the host ${hostName}: `, error);
    }
    if (host === undefined) {
      await tell(this.#pass, ifUnknown);
      return requeueAfter(this.#settings.pollMs);
    }
    const { hypervisorId, serviceId } = host;
    const identity = { hypervisorId, serviceId };
    this.#context.verified.remember(this.#pass.hypervisor, textOf(identity), this.#settings.resyncMs);
    await tell(this.#pass, { ...record, identity });
    return done;
  }

  /** A compute service that was removed and made anew has another id, under which the others must know it. */
  async #verify({ hostName, identity, record }: Step<'verify'>): Promise<Outcome> {
    const { compute, recorder, verified } = this.#context;
    const { hypervisor, signal } = this.#pass;
    const restMs = verified.restMs(hypervisor, textOf(identity));
    if (restMs > 0) return requeueAfter(restMs);
    const isRegistered = (await compute.hosts.get(identity, signal)) !== undefined;
    const found = isRegistered ? undefined : await compute.hosts.find(hostName, signal);
    const { hypervisorId, serviceId } = found ?? identity;
    const current = { hypervisorId, serviceId };
    verified.remember(hypervisor, textOf(current), this.#settings.resyncMs);
    if (textOf(current) !== textOf(identity)) {
      const message = `${hostName} was registered anew: its compute service is ${serviceId}, its hypervisor ${hypervisorId}`;
      await tell(this.#pass, { ...record, identity: current });
      await recorder.record(hypervisor, 'Warning', 'HostRegisteredAnew', message);
    }
    return requeueAfter(this.#settings.resyncMs);
  }

  async #enable({ identity, ifFailed, next }: Step<'enable'>): Promise<Outcome> {
    try {
      await this.#context.compute.hosts.enable(identity, this.#pass.signal);
    } catch (error) {
      return await tellFailure(this.#pass, ifFailed, 'could not enable the compute service: ', error);
    }
    return await this.perform(next);
  }

  async #test({ host, record }: Step<'test'>): Promise<Outcome> {
    const outcome = await new SmokeTestRun(this.#context, this.#settings, this.#pass, record).advance(host);
    if (outcome.kind !== 'passed') return outcome;
    const passed = passedTest(record, this.#context.clock.now());
    // Said before the instance goes: whoever comes after a crash must not take its absence for a test to be made.
    await tell(this.#pass, passed);
    return await this.perform(decideCompletion(this.#pass.hypervisor, passed));
  }

  async #cleanUp({ record, ifFailed, closes }: Step<'clean-up'>): Promise<Outcome> {
    const { compute } = this.#context;
    const { hypervisor, signal } = this.#pass;
    const prefix = testInstancePrefix(this.#settings.namePrefix, hypervisor.metadata.name);
    try {
      await removeTestInstances(compute.smokeTests, prefix, signal);
    } catch (error) {
      return await tellFailure(this.#pass, ifFailed, 'failed to terminate instance ', error);
    }
    try {
      if (closes !== undefined) await compute.hosts.disable(closes, CLOSED_REASON, signal);
    } catch (error) {
      return await tellFailure(this.#pass, ifFailed, 'could not disable the compute service: ', error);
    }
    await tell(this.#pass, record);
    return done;
  }
}
