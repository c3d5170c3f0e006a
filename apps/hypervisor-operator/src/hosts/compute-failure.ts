import { isComputeError, type ComputeError } from '@smalt/compute';
import { requeueAfter, type Outcome } from '@smalt/controller-runtime';

/** The error, if it is one of the compute system that a status should tell; anything else is thrown on. */
export function computeFailure(error: unknown): ComputeError {
  if (isComputeError(error) && error.code !== 'aborted') return error;
  throw error;
}

/** The longest that a compute system is left alone because it asked for it: it may be back long before. */
export const LONGEST_RETRY_MS = 300_000;

/** Another try when the compute system asked for it. */
interface Retry {
  readonly isRetry: true;
}

/** What follows a failure once it was told: another try when the compute system asked for it, else with back-off. */
export function retry(failure: ComputeError): Outcome & Retry {
  if (failure.retryAfterMs === undefined) throw failure;
  return { ...requeueAfter(Math.min(failure.retryAfterMs, LONGEST_RETRY_MS)), isRetry: true };
}

/** Whether a pass ended with a failure, though it did not throw. */
export function isRetry(outcome: Outcome): outcome is Outcome & Retry {
  return 'isRetry' in outcome;
}
