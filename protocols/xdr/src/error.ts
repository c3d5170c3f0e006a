/** What is wrong with the bytes or the value. `protocols/xdr/README.md` explains each. */
export type XdrErrorCode = 'truncated' | 'too-long' | 'trailing' | 'out-of-range' | 'invalid';

/** The one error of this package: bytes that are not XDR, or a value XDR cannot carry. */
export class XdrError extends Error {
  override readonly name = 'XdrError';
  readonly code: XdrErrorCode;

  constructor(code: XdrErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether `error` says that bytes or values do not fit XDR. */
export function isXdrError(error: unknown): error is XdrError {
  return error instanceof XdrError;
}
