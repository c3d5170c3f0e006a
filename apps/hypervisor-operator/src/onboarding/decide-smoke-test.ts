import { InstanceState, type ComputeError, type TestInstance } from '@smalt/compute';
import type { SmokeTest } from '@smalt/fleet-api';

import type { OnboardingSettings } from './onboarding-settings.ts';
import { guestHostName } from './test-instance-name.ts';

/** A test instance, and for how long it has been seen in its state: the compute system may have another time than we. */
export interface WatchedInstance extends TestInstance {
  readonly watchedMs: number;
}

export interface SmokeTestFacts {
  /** The name of the instance that tests this Hypervisor. */
  readonly name: string;
  /** The test instances of this host and no other. */
  readonly instances: readonly WatchedInstance[];
  /** How earlier ones fared. */
  readonly smokeTest: SmokeTest | undefined;
  /** How long ago one was asked for. */
  readonly startAgeMs: number;
  readonly now: number;
}

/** What to do about the one test instance of a host. */
type SmokeTestStep =
  | { readonly kind: 'start' }
  /** One may be on its way, and what was said about it holds. */
  | { readonly kind: 'hold'; readonly afterMs: number }
  /** Until what is under way is over, or it is time for the next one. */
  | { readonly kind: 'wait'; readonly afterMs: number }
  | { readonly kind: 'read-console'; readonly instance: WatchedInstance }
  | { readonly kind: 'fail'; readonly instance: TestInstance; readonly message: string }
  /** Its failure has been told; it only has to go. */
  | { readonly kind: 'discard'; readonly instance: TestInstance };

export interface SmokeTestDecision {
  readonly step: SmokeTestStep;
  /** Left over from an earlier Hypervisor of that name, or started twice. */
  readonly leftovers: readonly TestInstance[];
}

export type SmokeTestLimits = Pick<OnboardingSettings, 'buildTimeoutMs' | 'startingPollMs' | 'pollMs'>;

/** Decides by what there is now, so that a restart in between neither loses an instance nor makes a second one. */
export function decideSmokeTest(facts: SmokeTestFacts, limits: SmokeTestLimits): SmokeTestDecision {
  const instance = oldest(facts.instances.filter(({ name }) => name === facts.name));
  const leftovers = facts.instances.filter((each) => each !== instance && each.state !== InstanceState.deleting);
  return { step: instance === undefined ? decideStart(facts, limits) : decideNext(instance, facts, limits), leftovers };
}

function decideStart(
  { smokeTest, startAgeMs, now }: SmokeTestFacts,
  { pollMs, startingPollMs }: SmokeTestLimits,
): SmokeTestStep {
  if (startAgeMs < startingPollMs) return { kind: 'hold', afterMs: startingPollMs - startAgeMs };
  const restMs = smokeTest?.failedAt === undefined ? 0 : Date.parse(smokeTest.failedAt) + pollMs - now;
  // A clock that was set back must not make anybody wait for hours.
  return restMs > 0 && restMs <= pollMs ? { kind: 'wait', afterMs: restMs } : { kind: 'start' };
}

function decideNext(instance: WatchedInstance, { smokeTest }: SmokeTestFacts, limits: SmokeTestLimits): SmokeTestStep {
  // Until it is gone there must be no other.
  if (instance.state === InstanceState.deleting) return { kind: 'wait', afterMs: limits.startingPollMs };
  if (instance.id === smokeTest?.instanceId) return { kind: 'discard', instance };
  if (instance.state === InstanceState.failed) {
    const message = `Server ended up in error state: ${instance.fault ?? 'no reason was given'}`;
    return { kind: 'fail', instance, message };
  }
  if (instance.state === InstanceState.running) return { kind: 'read-console', instance };
  if (instance.watchedMs <= limits.buildTimeoutMs) {
    return { kind: 'wait', afterMs: limits.startingPollMs };
  }
  const message = `timeout waiting for the test instance to run${sinceOf(instance.createdAt)}, it is ${instance.state}`;
  return { kind: 'fail', instance, message };
}

/** What a console says about the instance that writes to it. */
export type ConsoleVerdict =
  | { readonly kind: 'passed' }
  | { readonly kind: 'wait' }
  /** It cannot be read, but may be later. */
  | { readonly kind: 'unreadable'; readonly message: string; readonly retryAfterMs: number | undefined }
  | { readonly kind: 'fail'; readonly message: string };

/** A guest that has started tells its name: that is all the proof there is. */
export function judgeConsole(
  instance: WatchedInstance,
  console: string | ComputeError,
  { consoleTimeoutMs }: Pick<OnboardingSettings, 'consoleTimeoutMs'>,
): ConsoleVerdict {
  // An instance that runs and was never launched is one of a compute system that does not tell.
  const since = sinceOf(instance.launchedAt ?? instance.createdAt);
  const isLate = instance.watchedMs > consoleTimeoutMs;
  if (typeof console !== 'string') {
    const message = `could not get console output ${console.message}`;
    // An outage of the compute system is not the fault of the host.
    if (isLate && console.code !== 'unavailable') return { kind: 'fail', message };
    return { kind: 'unreadable', message, retryAfterMs: console.retryAfterMs };
  }
  const names = [instance.name, guestHostName(instance.name)];
  if (names.some((name) => console.includes(name))) return { kind: 'passed' };
  return isLate ? { kind: 'fail', message: `timeout waiting for console output${since}` } : { kind: 'wait' };
}

function sinceOf(time: string | undefined): string {
  return time === undefined ? '' : ` since ${time}`;
}

function oldest(instances: readonly WatchedInstance[]): WatchedInstance | undefined {
  return instances.toSorted((a, b) => Number(isDeleting(a)) - Number(isDeleting(b)) || compare(a, b))[0];
}

function isDeleting({ state }: TestInstance): boolean {
  return state === InstanceState.deleting;
}

function compare(a: TestInstance, b: TestInstance): number {
  const [x, y] = [`${a.createdAt ?? ''} ${a.id}`, `${b.createdAt ?? ''} ${b.id}`];
  if (x === y) return 0;
  return x < y ? -1 : 1;
}
