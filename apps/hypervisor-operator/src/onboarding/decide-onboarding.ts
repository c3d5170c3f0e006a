import type { HostIdentity } from '@smalt/compute';
import { isConditionTrue } from '@smalt/controller-runtime';
import {
  HypervisorConditionReason,
  HypervisorConditionType,
  MaintenanceMode,
  type Hypervisor,
  type HypervisorSpec,
  type SmokeTest,
} from '@smalt/fleet-api';
import type { OVSNode } from '@smalt/ovs-api';

import { hostNameOf } from '../hosts/host-name-of.ts';
import { decideHostChecks } from './decide-host-checks.ts';
import {
  over,
  readRecord,
  underway,
  withMessage,
  type OnboardingCondition,
  type OnboardingRecord,
} from './onboarding-record.ts';
import type { OnboardingSettings } from './onboarding-settings.ts';

const REASON = HypervisorConditionReason.Onboarding;
const ZONE_LABEL = 'topology.kubernetes.io/zone';

/** With the value `retry` it makes a host that failed its tests start again; it is taken away then. */
export const ONBOARDING_ANNOTATION = 'kvm.cloud.sap/onboarding';
const RETRY = 'retry';

const NO_LIFECYCLE = 'Aborted due to LifecycleEnabled being false';
const TERMINATION = 'Aborted due to MaintenanceTermination';
const NO_ZONE = `cannot find availability-zone label ${ZONE_LABEL} on node`;
const WAITING_FOR_HA = 'Waiting until spec.maintenance is not ha any more';
const HANDING_OVER = 'Waiting for other controllers to take over';

export interface OnboardingFacts {
  readonly hypervisor: Hypervisor;
  readonly ovsNode: OVSNode | undefined;
  /** Whether somebody wants it emptied by an Eviction. */
  readonly hasEviction: boolean;
}

/** A host that may be given test instances. */
export interface TestedHost {
  readonly identity: HostIdentity;
  readonly zone: string;
}

/** What to do next; `record` is what to say, after what is to be done has been done. */
export type OnboardingStep =
  /** Nothing, until something changes. */
  | { readonly kind: 'rest' }
  /** Find out its ids, then say `record` with them; if nobody knows it, say `ifUnknown`. */
  | {
      readonly kind: 'discover';
      readonly hostName: string;
      /** Whether a name that only stands for it will not do. */
      readonly isExact: boolean;
      readonly record: OnboardingRecord;
      readonly ifUnknown: OnboardingRecord;
    }
  /** See whether it is still registered under its ids, if nobody has for a while; under others, say `record` with them. */
  | {
      readonly kind: 'verify';
      readonly hostName: string;
      readonly isExact: boolean;
      readonly identity: HostIdentity;
      readonly record: OnboardingRecord;
      /** What to do if it is. */
      readonly next: OnboardingStep;
    }
  /** Only to say something; without `afterMs` a watch tells when to look again. */
  | { readonly kind: 'tell'; readonly record: OnboardingRecord; readonly afterMs?: number }
  /** Let it take instances, then do `next`; if that fails, say `ifFailed` with the reason. */
  | {
      readonly kind: 'enable';
      readonly identity: HostIdentity;
      readonly ifFailed: OnboardingRecord;
      readonly next: OnboardingStep;
    }
  /** Start a test instance, or look how it does. */
  | { readonly kind: 'test'; readonly host: TestedHost; readonly record: OnboardingRecord }
  /** Remove all its test instances; if that fails, say `ifFailed` with the reason. */
  | {
      readonly kind: 'clean-up';
      readonly record: OnboardingRecord;
      readonly ifFailed: OnboardingRecord;
      /** The host that must not take instances after this. */
      readonly closes?: HostIdentity;
    };

/** Decides by what a Hypervisor says now. Needs no look at the compute system, so a pass that waits costs nothing. */
export function decideOnboarding(facts: OnboardingFacts, settings: OnboardingSettings): OnboardingStep {
  const { spec } = facts.hypervisor;
  const record = readRecord(facts.hypervisor);
  if (spec === undefined) return { kind: 'rest' };
  const cause = abortCause(spec);
  if (cause !== undefined) {
    const step = decideAbort(facts.hypervisor, record, cause);
    return step.kind === 'rest' && isToBeEmptied(facts) ? decideIds(facts.hypervisor, record) : step;
  }
  const reason = record.condition?.reason;
  // Who deals with a dead host has declared it dead: nothing here may take that back.
  if (spec.maintenance === MaintenanceMode.ha && !isThrough(reason)) return waitForHa(record);
  const isRestart = reason === REASON.aborted;
  if (isRestart && !mayRestart(facts.hypervisor, record)) return { kind: 'rest' };
  if (isRestart || record.identity === undefined) {
    return decideDiscovery(facts.hypervisor, record);
  }
  return decideStage(facts, record, record.identity, settings);
}

function decideDiscovery(hypervisor: Hypervisor, old: OnboardingRecord): OnboardingStep {
  const hostName = hostNameOf(hypervisor);
  const record = isKept(old.condition?.reason) ? old : initial(undefined);
  // A failed look was told as a beginning, which it was not if there is no such host.
  const isFalseStart = old.condition?.reason === REASON.initial;
  const ifUnknown = isFalseStart ? { ...old, condition: undefined } : old;
  return { kind: 'discover', hostName, isExact: false, record, ifUnknown };
}

function isToBeEmptied({ hypervisor: { spec, status }, hasEviction }: OnboardingFacts): boolean {
  if (isConditionTrue(status?.conditions, HypervisorConditionType.offboarded)) return false;
  const { manual, auto, termination } = MaintenanceMode;
  return hasEviction || [manual, auto, termination].some((mode) => mode === spec?.maintenance);
}

/** A host that is not onboarded has to have ids all the same before it can be emptied. */
function decideIds(hypervisor: Hypervisor, record: OnboardingRecord): OnboardingStep {
  const host = { hostName: hostNameOf(hypervisor), isExact: true };
  const { identity } = record;
  if (identity === undefined) return { kind: 'discover', ...host, record, ifUnknown: record };
  // What is removed goes by the ids that it had: new ones would be those of another registration.
  if (hypervisor.spec?.maintenance === MaintenanceMode.termination) return { kind: 'rest' };
  return { kind: 'verify', ...host, identity, record, next: { kind: 'rest' } };
}

function isThrough(reason: string | undefined): boolean {
  return reason === REASON.handover || reason === REASON.succeeded;
}

function waitForHa(record: OnboardingRecord): OnboardingStep {
  const { reason = REASON.initial } = record.condition ?? {};
  if (reason !== REASON.initial && reason !== REASON.testing) return { kind: 'rest' };
  return { kind: 'tell', record: { ...record, condition: underway(reason, WAITING_FOR_HA) } };
}

function abortCause({ lifecycleEnabled, maintenance }: HypervisorSpec): string | undefined {
  if (!lifecycleEnabled) return NO_LIFECYCLE;
  return maintenance === MaintenanceMode.termination ? TERMINATION : undefined;
}

/** What has been reached stays, whatever the ids turn out to be. */
export function isKept(reason: string | undefined): boolean {
  return reason !== undefined && reason !== REASON.initial && reason !== REASON.aborted;
}

function decideAbort({ status }: Hypervisor, record: OnboardingRecord, cause: string): OnboardingStep {
  const { condition } = record;
  if (condition === undefined) return { kind: 'rest' };
  // A host in use stays so while it is only left alone or emptied, and one that failed its tests has not passed them by
  // that. Once it is deregistered it has to start anew.
  const isDeregistered = isConditionTrue(status?.conditions, HypervisorConditionType.offboarded);
  const isLost = cause === TERMINATION && isDeregistered;
  const isFailed = isAborted(condition) && record.smokeTest !== undefined;
  if (!isLost && (condition.reason === REASON.succeeded || isFailed)) return { kind: 'rest' };
  const isTold = isAborted(condition) && condition.message === cause;
  if (isTold && record.smokeTest === undefined) return { kind: 'rest' };
  const aborted = { identity: record.identity, smokeTest: undefined };
  return {
    kind: 'clean-up',
    record: { ...aborted, condition: over(REASON.aborted, cause) },
    ifFailed: { ...aborted, condition: underway(REASON.aborted, cause) },
  };
}

function isAborted({ status, reason }: OnboardingCondition): boolean {
  return status === 'False' && reason === REASON.aborted;
}

/** Only failed tests leave a record behind: they need somebody's word. What else aborted it is over. */
function mayRestart({ metadata, spec }: Hypervisor, { smokeTest }: OnboardingRecord): boolean {
  const isRetry = metadata.annotations?.[ONBOARDING_ANNOTATION] === RETRY;
  return smokeTest === undefined || isRetry || spec?.skipTests === true;
}

/** Whether somebody's wish to try again has been met, or there is nothing to try: then it can be taken away. */
export function isRetryOver(hypervisor: Hypervisor): boolean {
  const isRetry = hypervisor.metadata.annotations?.[ONBOARDING_ANNOTATION] === RETRY;
  return isRetry && readRecord(hypervisor).condition?.reason !== REASON.aborted;
}

function initial(identity: HostIdentity | undefined): OnboardingRecord {
  return { identity, condition: underway(REASON.initial, 'Initial onboarding'), smokeTest: undefined };
}

function decideStage(
  facts: OnboardingFacts,
  record: OnboardingRecord,
  identity: HostIdentity,
  settings: OnboardingSettings,
): OnboardingStep {
  const hostName = hostNameOf(facts.hypervisor);
  const verify = { kind: 'verify', hostName, isExact: false, identity } as const;
  switch (record.condition?.reason) {
    case undefined:
    case REASON.initial:
      return { ...verify, record: initial(identity), next: decideInitial(facts.hypervisor, identity, settings) };
    case REASON.testing:
      return { ...verify, record: initial(identity), next: decideTesting(facts, record, identity, settings) };
    case REASON.handover:
      return { ...verify, record: initial(identity), next: decideHandover(facts.hypervisor, identity) };
    case REASON.succeeded:
      return { ...verify, record, next: { kind: 'rest' } };
    default:
      return { kind: 'rest' };
  }
}

function decideInitial(
  hypervisor: Hypervisor,
  identity: HostIdentity,
  { testAggregate, pollMs }: OnboardingSettings,
): OnboardingStep {
  const { metadata, status } = hypervisor;
  const zone = metadata.labels?.[ZONE_LABEL] ?? '';
  if (zone === '') return { kind: 'tell', record: withMessage(initial(identity), NO_ZONE), afterMs: pollMs };
  const names = (status?.aggregates ?? []).map(({ name }) => name);
  if (!isSameMultiset(names, [...new Set([zone, testAggregate])])) {
    return { kind: 'tell', record: initial(identity), afterMs: pollMs };
  }
  const record = testing({ identity, condition: undefined, smokeTest: undefined });
  const next: OnboardingStep =
    hypervisor.spec?.skipTests === true ? decideCompletion(hypervisor, record) : { kind: 'tell', record };
  return { kind: 'enable', identity, ifFailed: initial(identity), next };
}

/** A host that needs no test, or no more: its test instances go, and others take over. */
export function decideCompletion(hypervisor: Hypervisor, record: OnboardingRecord): OnboardingStep {
  return { kind: 'clean-up', record: handover(hypervisor, record.identity), ifFailed: record };
}

function testing(record: OnboardingRecord): OnboardingRecord {
  const { message = 'Running onboarding tests' } = record.smokeTest ?? {};
  const isWarning = record.smokeTest !== undefined;
  return { ...record, condition: { ...underway(REASON.testing, message), isWarning } };
}

function decideTesting(
  { hypervisor, ovsNode }: OnboardingFacts,
  old: OnboardingRecord,
  identity: HostIdentity,
  settings: OnboardingSettings,
): OnboardingStep {
  const record = testing(old);
  const { smokeTest } = record;
  if (hypervisor.spec?.skipTests === true || smokeTest?.passedAt !== undefined) {
    return decideCompletion(hypervisor, record);
  }
  if (smokeTest !== undefined && settings.attempts > 0 && smokeTest.failures >= settings.attempts) {
    const condition = { ...over(REASON.aborted, surrender(smokeTest)), isWarning: true };
    return { kind: 'clean-up', record: { ...record, condition }, ifFailed: record, closes: identity };
  }
  const causes = decideHostChecks(hypervisor, ovsNode, settings);
  if (causes.length > 0) {
    return {
      kind: 'tell',
      record: withMessage(record, `Not ready for tests: ${causes.join('; ')}`),
      afterMs: settings.pollMs,
    };
  }
  const zone = hypervisor.metadata.labels?.[ZONE_LABEL] ?? '';
  if (zone === '') return { kind: 'tell', record: withMessage(record, NO_ZONE), afterMs: settings.pollMs };
  return { kind: 'test', host: { identity, zone }, record };
}

function surrender({ failures, message }: SmokeTest): string {
  const last = message === undefined ? '' : `, the last one: ${message}`;
  const advice = `mend the host, then annotate it with ${ONBOARDING_ANNOTATION}=${RETRY}`;
  return `Aborted after ${failures} failed test instances${last}; ${advice}`;
}

/** Those who take over and have not yet. */
function missingSuccessors({ spec, status }: Hypervisor): readonly string[] {
  const { traitsUpdated, aggregatesUpdated, haEnabled } = HypervisorConditionType;
  const needed = [traitsUpdated, aggregatesUpdated, ...(spec?.highAvailability === true ? [haEnabled] : [])];
  return needed.filter((type) => !isConditionTrue(status?.conditions, type));
}

// Only who is missing, not why: who gives a new reason with each try would be woken by our words to try again.
function handover(hypervisor: Hypervisor, identity: HostIdentity | undefined): OnboardingRecord {
  const missing = missingSuccessors(hypervisor);
  const message = missing.length === 0 ? HANDING_OVER : `${HANDING_OVER}: ${missing.join(', ')}`;
  return { identity, condition: underway(REASON.handover, message), smokeTest: undefined };
}

function decideHandover(hypervisor: Hypervisor, identity: HostIdentity): OnboardingStep {
  const isComplete = missingSuccessors(hypervisor).length === 0;
  const condition = over(REASON.succeeded, 'Onboarding completed');
  const record = isComplete ? { identity, condition, smokeTest: undefined } : handover(hypervisor, identity);
  return { kind: 'tell', record };
}

function isSameMultiset(a: readonly string[], b: readonly string[]): boolean {
  const [x, y] = [a.toSorted(), b.toSorted()];
  return x.length === y.length && x.every((name, index) => name === y[index]);
}
