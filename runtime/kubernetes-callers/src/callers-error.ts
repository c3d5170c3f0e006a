export type CallersErrorCode = 'unauthorized' | 'forbidden' | 'unavailable';

/** Why a caller is not let in. */
export class CallersError extends Error {
  readonly code: CallersErrorCode;

  constructor(code: CallersErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'CallersError';
    this.code = code;
  }
}

/** Whether the cluster could not be asked, so that trying again may help. */
export function isUnavailable(error: unknown): error is CallersError {
  return error instanceof CallersError && error.code === 'unavailable';
}
