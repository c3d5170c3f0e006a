export type ComputeErrorCode =
  /** The thing is not there. */
  | 'not-found'
  /** Its state does not allow that now. */
  | 'conflict'
  /** It was changed since it was read: read it again. */
  | 'stale'
  /** No host can take it. */
  | 'no-target'
  /** The request makes no sense to the compute system, or it may not be done. */
  | 'refused'
  /** The compute system cannot be reached, or is busy or broken: try again later. */
  | 'unavailable'
  /** It may have been done or not: look before it is done again. */
  | 'unknown-fate'
  | 'aborted';

/** What went wrong at the compute system. The message names the call and, where there is one, its request id. */
export class ComputeError extends Error {
  override readonly name = 'ComputeError';
  readonly code: ComputeErrorCode;
  /** How long the compute system asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ComputeErrorCode,
    message: string,
    options: ErrorOptions & { readonly retryAfterMs?: number } = {},
  ) {
    super(message, options);
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export function isComputeError(error: unknown, ...codes: readonly ComputeErrorCode[]): error is ComputeError {
  return error instanceof ComputeError && (codes.length === 0 || codes.includes(error.code));
}
