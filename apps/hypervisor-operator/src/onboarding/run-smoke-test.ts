import { isComputeError, type ComputeError, type TestInstance } from '@smalt/compute';
import { requeueAfter, type Outcome } from '@smalt/controller-runtime';

import { computeFailure } from '../hosts/compute-failure.ts';
import type { HypervisorPass } from '../frame/controller-of-hypervisors.ts';
import type { OperatorContext } from '../operator-context.ts';
import type { VerifiedStates } from '../hosts/verified-states.ts';
import type { TestedHost } from './decide-onboarding.ts';
import { decideSmokeTest, judgeConsole, type WatchedInstance } from './decide-smoke-test.ts';
import type { FirstSights } from './first-sights.ts';
import { tell, tellFailure, tellProblem } from './onboarding-pass.ts';
import { failedTest, type OnboardingRecord } from './onboarding-record.ts';
import type { OnboardingSettings } from './onboarding-settings.ts';
import type { RecentStarts } from './recent-starts.ts';
import { listTestInstances } from './remove-test-instances.ts';
import { testInstanceName, testInstancePrefix } from './test-instance-name.ts';

export interface SmokeTestContext extends Pick<OperatorContext, 'compute' | 'clock' | 'recorder' | 'ignore'> {
  readonly recentStarts: RecentStarts;
  readonly firstSights: FirstSights;
  /** Whether the host is still registered under its ids. */
  readonly verified: VerifiedStates;
}

/** What became of a look at the test instance: it has shown that the host works, or there is more to come. */
export type SmokeTestOutcome = { readonly kind: 'passed' } | Outcome;

/** Does the next thing about the test instance of one host. */
export class SmokeTestRun {
  readonly #context: SmokeTestContext;
  readonly #settings: OnboardingSettings;
  readonly #pass: HypervisorPass;
  /** What is said unless there is something new. */
  readonly #record: OnboardingRecord;

  constructor(context: SmokeTestContext, settings: OnboardingSettings, pass: HypervisorPass, record: OnboardingRecord) {
    this.#context = context;
    this.#settings = settings;
    this.#pass = pass;
    this.#record = record;
  }

  async advance(host: TestedHost): Promise<SmokeTestOutcome> {
    const { name: hostName, uid = '' } = this.#pass.hypervisor.metadata;
    const { namePrefix } = this.#settings;
    const name = testInstanceName(namePrefix, hostName, uid);
    let listed: readonly TestInstance[];
    try {
      const prefix = testInstancePrefix(namePrefix, hostName);
      listed = await listTestInstances(this.#context.compute.smokeTests, prefix, this.#pass.signal);
    } catch (error) {
      return await tellFailure(this.#pass, this.#record, 'could not look for test instances: ', error);
    }
    const { clock, firstSights, recentStarts } = this.#context;
    const instances = firstSights.watch(this.#pass.hypervisor, listed);
    const startAgeMs = recentStarts.ageMs(this.#pass.hypervisor);
    const facts = { name, instances, smokeTest: this.#record.smokeTest, startAgeMs, now: clock.now() };
    const { step, leftovers } = decideSmokeTest(facts, this.#settings);
    await this.#removeLeftovers(leftovers);
    switch (step.kind) {
      case 'start':
        return await this.#start(name, host);
      case 'hold':
        return requeueAfter(step.afterMs);
      case 'wait':
        return await this.#wait(step.afterMs);
      case 'read-console':
        return await this.#readConsole(step.instance);
      case 'fail':
        return await this.#fail(step.instance, step.message);
      case 'discard':
        return await this.#discard(step.instance, this.#record);
    }
  }

  /** They are in nobody's way: those that cannot be deleted now are looked for again with each pass. */
  async #removeLeftovers(leftovers: readonly TestInstance[]): Promise<void> {
    for (const { id } of leftovers) {
      try {
        await this.#context.compute.smokeTests.delete(id, this.#pass.signal);
      } catch (error) {
        this.#pass.signal.throwIfAborted();
        this.#context.ignore(error, 'a test instance that was left over is deleted later');
      }
    }
  }

  async #start(name: string, { identity, zone }: TestedHost): Promise<Outcome> {
    const { recentStarts } = this.#context;
    recentStarts.note(this.#pass.hypervisor);
    try {
      await this.#context.compute.smokeTests.start({ name, host: identity, zone }, this.#pass.signal);
    } catch (error) {
      const told = 'could not start a test instance: ';
      if (!isComputeError(error, 'unknown-fate')) {
        recentStarts.forget(this.#pass.hypervisor);
        if (isComputeError(error, 'not-found')) this.#context.verified.forget(this.#pass.hypervisor);
        return await tellFailure(this.#pass, this.#record, told, error);
      }
      // Whether there is one now is what the next look tells.
      await tellProblem(this.#pass, this.#record, `${told}${error.message}`);
      return requeueAfter(this.#settings.startingPollMs);
    }
    return await this.#wait();
  }

  async #wait(afterMs: number = this.#settings.startingPollMs): Promise<Outcome> {
    await tell(this.#pass, this.#record);
    return requeueAfter(afterMs);
  }

  async #readConsole(instance: WatchedInstance): Promise<SmokeTestOutcome> {
    const console = await this.#console(instance);
    const verdict = judgeConsole(instance, console, this.#settings);
    switch (verdict.kind) {
      case 'passed':
        return { kind: 'passed' };
      case 'wait':
        return await this.#wait();
      case 'fail':
        return await this.#fail(instance, verdict.message);
      case 'unreadable':
        await tellProblem(this.#pass, this.#record, verdict.message);
        return requeueAfter(verdict.retryAfterMs ?? this.#settings.startingPollMs);
    }
  }

  async #console({ id }: TestInstance): Promise<string | ComputeError> {
    try {
      return await this.#context.compute.smokeTests.console(id, this.#settings.consoleLines, this.#pass.signal);
    } catch (error) {
      return computeFailure(error);
    }
  }

  /** Counted before it is deleted: whoever comes after a crash finds it counted, or finds it. */
  async #fail(instance: TestInstance, message: string): Promise<Outcome> {
    const record = failedTest(this.#record, instance.id, message, this.#context.clock.now());
    await tell(this.#pass, record);
    await this.#context.recorder.record(this.#pass.hypervisor, 'Warning', 'SmokeTestFailed', message);
    return await this.#discard(instance, record);
  }

  async #discard({ id }: TestInstance, record: OnboardingRecord): Promise<Outcome> {
    try {
      await this.#context.compute.smokeTests.delete(id, this.#pass.signal);
    } catch (error) {
      return await tellFailure(this.#pass, record, 'failed to terminate instance ', error);
    }
    await tell(this.#pass, record);
    return requeueAfter(this.#settings.pollMs);
  }
}
