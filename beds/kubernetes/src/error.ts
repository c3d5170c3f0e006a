export type BedKubernetesErrorCode = 'build-failed' | 'invalid-option' | 'missing-program' | 'not-ready';

/** Why an API server or a cluster of a test bed could not be had. */
export class BedKubernetesError extends Error {
  readonly code: BedKubernetesErrorCode;

  constructor(code: BedKubernetesErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'BedKubernetesError';
    this.code = code;
  }
}

export function isBedKubernetesError(error: unknown): error is BedKubernetesError {
  return error instanceof BedKubernetesError;
}
