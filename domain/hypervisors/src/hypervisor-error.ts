/** What is wrong. The README explains each. */
export type HypervisorErrorCode = 'unknown-hypervisor' | 'invalid-log-filters';

/** The one error of this package. */
export class HypervisorError extends Error {
  override readonly name = 'HypervisorError';
  readonly code: HypervisorErrorCode;

  constructor(code: HypervisorErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether `error` says that no driver has the name that was asked for. */
export function isUnknownHypervisor(error: unknown): error is HypervisorError {
  return error instanceof HypervisorError && error.code === 'unknown-hypervisor';
}
