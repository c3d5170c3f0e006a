import { isComputeError, type ComputeHost, type HostIdentity } from '@smalt/compute';
import { done, requeueAfter, type ControllerOptions, type Outcome } from '@smalt/controller-runtime';
import { HypervisorConditionType, hypervisorKind } from '@smalt/fleet-api';
import { isNotFound } from '@smalt/kube';

import { computeFailure } from '../hosts/compute-failure.ts';
import { HostClaims } from '../hosts/host-claims.ts';
import {
  hypervisorController,
  type HypervisorControllerContext,
  type HypervisorPass,
} from '../frame/controller-of-hypervisors.ts';
import type { OperatorContext } from '../operator-context.ts';
import { VerifiedStates } from '../hosts/verified-states.ts';
import {
  decideCompletion,
  decideOnboarding,
  isKept,
  isRetryOver,
  ONBOARDING_ANNOTATION,
  type OnboardingStep,
} from './decide-onboarding.ts';
import { EvictedHosts } from './evicted-hosts.ts';
import { FirstSights } from './first-sights.ts';
import { tell, tellFailure, tellProblem } from './onboarding-pass.ts';
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

export type OnboardingContext = HypervisorControllerContext &
  Pick<OperatorContext, 'compute' | 'evictions' | 'ovsNodes' | 'ignore'>;

type OnboardingParts = OnboardingContext & SmokeTestContext & { readonly claims: HostClaims };

/** The ids of a host, or why it may not have those that were found, or nothing if there is no such host. */
interface FoundHost {
  readonly identity?: HostIdentity;
  readonly trouble?: string;
}

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
  const { client, clock, hypervisors } = context;
  const evictedHosts = new EvictedHosts(context.evictions);
  const parts = {
    ...context,
    recentStarts: new RecentStarts(hypervisors, clock),
    firstSights: new FirstSights(hypervisors, clock),
    verified: new VerifiedStates(hypervisors, clock),
    claims: new HostClaims(hypervisors, client),
  };
  const controller = hypervisorController(context, {
    name: NAME,
    conditionTypes: [HypervisorConditionType.onboarding],
    fieldNames: ['hypervisorId', 'serviceId', 'smokeTest'],
    concurrency: settings.concurrency,
    timeoutMs: settings.timeoutMs,
    sources: [...ovsNodes.sources, evictedHosts.source],
    reconcile: async (pass) => {
      const { hypervisor } = pass;
      const { name } = hypervisor.metadata;
      const facts = { hypervisor, ovsNode: ovsNodes.of(name), hasEviction: evictedHosts.has(name) };
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

function identityOf({ hypervisorId, serviceId }: ComputeHost): HostIdentity {
  return { hypervisorId, serviceId };
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

  async #discover(step: Step<'discover'>): Promise<Outcome> {
    const { hostName, isExact, record, ifUnknown } = step;
    // What a host has reached is not worth less because it cannot be looked up now.
    const isQuiet = isExact || isKept(record.condition?.reason);
    let found: FoundHost;
    try {
      found = await this.#find(step);
    } catch (error) {
      if (isQuiet) throw error;
      return await tellFailure(this.#pass, record, `could not look up the host ${hostName}: `, error);
    }
    const { identity, trouble } = found;
    if (trouble !== undefined && !isQuiet) await tellProblem(this.#pass, record, trouble);
    else await tell(this.#pass, identity === undefined ? ifUnknown : { ...record, identity });
    if (identity === undefined) return requeueAfter(this.#settings.pollMs);
    this.#context.verified.remember(this.#pass.hypervisor, textOf(identity), this.#settings.resyncMs);
    return done;
  }

  /** Finds a host by its name, unless it is that of another Hypervisor. */
  async #find({ hostName, isExact }: Pick<Step<'discover'>, 'hostName' | 'isExact'>): Promise<FoundHost> {
    const { claims, compute, recorder } = this.#context;
    const { hypervisor, signal } = this.#pass;
    const host = await compute.hosts.find(hostName, signal);
    if (host === undefined || (isExact && host.name !== hostName)) return {};
    const rival = await claims.rivalOf(host, hypervisor, signal);
    if (rival === undefined) return { identity: identityOf(host) };
    const trouble = `the host ${host.name} belongs to Hypervisor ${rival}: see which of the two is named wrongly`;
    await recorder.record(hypervisor, 'Warning', 'HostOfAnother', trouble);
    return { trouble };
  }

  /** A compute service that was removed and made anew has another id, under which the others must know it. */
  async #verify(step: Step<'verify'>): Promise<Outcome> {
    const { ignore, verified } = this.#context;
    const { hypervisor } = this.#pass;
    const { identity, next } = step;
    if (verified.restMs(hypervisor, textOf(identity)) === 0) {
      try {
        if (await this.#isRegisteredAnew(step)) return done;
      } catch (error) {
        // Nothing is left to be done, or what is left tells better what is wrong.
        if (next.kind === 'rest') throw error;
        ignore(computeFailure(error), 'the ids of a host are compared again with the next pass');
      }
    }
    const outcome = await this.perform(next);
    if (outcome.kind !== 'done') return outcome;
    return requeueAfter(verified.restMs(hypervisor, textOf(identity)) || this.#settings.pollMs);
  }

  async #isRegisteredAnew(step: Step<'verify'>): Promise<boolean> {
    const { compute, recorder, verified } = this.#context;
    const { hypervisor, signal } = this.#pass;
    const { hostName, identity, record } = step;
    const isRegistered = (await compute.hosts.get(identity, signal)) !== undefined;
    const { identity: current = identity } = isRegistered ? {} : await this.#find(step);
    verified.remember(hypervisor, textOf(current), this.#settings.resyncMs);
    if (textOf(current) === textOf(identity)) return false;
    const { hypervisorId, serviceId } = current;
    const message = `${hostName} was registered anew: its compute service is ${serviceId}, its hypervisor ${hypervisorId}`;
    await tell(this.#pass, { ...record, identity: current });
    await recorder.record(hypervisor, 'Warning', 'HostRegisteredAnew', message);
    return true;
  }

  async #enable({ identity, ifFailed, next }: Step<'enable'>): Promise<Outcome> {
    try {
      await this.#context.compute.hosts.enable(identity, this.#pass.signal);
    } catch (error) {
      if (isComputeError(error, 'not-found')) this.#context.verified.forget(this.#pass.hypervisor);
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
