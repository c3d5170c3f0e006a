import { isComputeError, type ComputeError } from '@smalt/compute';
import { requeueAfter, type Outcome } from '@smalt/controller-runtime';

/** The error, if it is one of the compute system that a status should tell; anything else is thrown on. */
export function computeFailure(error: unknown): ComputeError {
  if (isComputeError(error) && error.code !== 'aborted') return error;
  throw error;
}

/** What follows a failure once it was told: another try when the compute system asked for it, else with back-off. */
export function retry(failure: ComputeError): Outcome {
  if (failure.retryAfterMs === undefined) throw failure;
  return requeueAfter(failure.retryAfterMs);
}
