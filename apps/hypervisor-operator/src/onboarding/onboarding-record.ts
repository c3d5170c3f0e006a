import type { HostIdentity } from '@smalt/compute';
import { findCondition } from '@smalt/controller-runtime';
import { HypervisorConditionReason, HypervisorConditionType, type Hypervisor, type SmokeTest } from '@smalt/fleet-api';

import { hostIdentity } from '../hosts/host-identity.ts';
import type { StatedCondition, Statement } from '../frame/owned-status.ts';

const REASON = HypervisorConditionReason.Onboarding;

/** The condition `Onboarding`, without its type. True means that onboarding is under way. */
export type OnboardingCondition = Pick<StatedCondition, 'status' | 'reason' | 'message' | 'isWarning'>;

/** All that onboarding says about a host. */
export interface OnboardingRecord {
  /** Both ids or none. */
  readonly identity: HostIdentity | undefined;
  readonly condition: OnboardingCondition | undefined;
  readonly smokeTest: SmokeTest | undefined;
}

/** What was said last, by this operator or one before it. */
export function readRecord(hypervisor: Hypervisor): OnboardingRecord {
  const { conditions, smokeTest } = hypervisor.status ?? {};
  const found = findCondition(conditions, HypervisorConditionType.onboarding);
  return {
    identity: hostIdentity(hypervisor),
    condition: found && { status: found.status, reason: found.reason, message: found.message },
    smokeTest,
  };
}

export function statementOf({ identity, condition, smokeTest }: OnboardingRecord): Statement {
  return {
    fields: { ...identity, ...(smokeTest !== undefined && { smokeTest }) },
    conditions: condition === undefined ? [] : [{ type: HypervisorConditionType.onboarding, ...condition }],
  };
}

/** The record with another message, and everything else as it is. */
export function withMessage(record: OnboardingRecord, message: string): OnboardingRecord {
  const condition = record.condition ?? underway(REASON.initial, message);
  return { ...record, condition: { ...condition, message, isWarning: true } };
}

/** Onboarding is under way. */
export function underway(reason: string, message: string): OnboardingCondition {
  return { status: 'True', reason, message };
}

/** Onboarding is over. */
export function over(reason: string, message: string): OnboardingCondition {
  return { status: 'False', reason, message };
}

/** One more test instance has failed. */
export function failedTest(
  record: OnboardingRecord,
  instanceId: string,
  message: string,
  now: number,
): OnboardingRecord {
  const failures = (record.smokeTest?.failures ?? 0) + 1;
  const failedAt = new Date(now).toISOString();
  const condition = { ...underway(REASON.testing, message), isWarning: true };
  return { ...record, condition, smokeTest: { failures, failedAt, instanceId, message } };
}

/** A test instance has passed; what is left is to remove it. */
export function passedTest(record: OnboardingRecord, now: number): OnboardingRecord {
  const passedAt = new Date(now).toISOString();
  return { ...record, smokeTest: { failures: 0, ...record.smokeTest, passedAt } };
}
