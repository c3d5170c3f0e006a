import type { Outcome } from '@smalt/controller-runtime';

import { computeFailure, retry } from '../hosts/compute-failure.ts';
import type { HypervisorPass } from '../frame/controller-of-hypervisors.ts';
import { readRecord, statementOf, withMessage, type OnboardingRecord } from './onboarding-record.ts';
import { settledMessage } from '../frame/settled-message.ts';

/** Says all that onboarding has to say about a host. */
export async function tell({ state }: HypervisorPass, record: OnboardingRecord): Promise<void> {
  await state(statementOf(record));
}

/**
 * Says why the compute system did not do it, and comes back: when it asked for, or later each time. Whatever else went
 * wrong is thrown on.
 */
export async function tellFailure(
  pass: HypervisorPass,
  record: OnboardingRecord,
  prefix: string,
  error: unknown,
): Promise<Outcome> {
  const failure = computeFailure(error);
  await tellProblem(pass, record, `${prefix}${failure.message}`);
  return retry(failure);
}

/** Says what is in the way, in the words in which it was said before. */
export async function tellProblem(pass: HypervisorPass, record: OnboardingRecord, message: string): Promise<void> {
  const told = readRecord(pass.hypervisor).condition?.message;
  await tell(pass, withMessage(record, settledMessage(told, message)));
}
