/** What is wrong with the bytes or with what was asked for. `protocols/openflow/README.md` explains each. */
export type OpenFlowErrorCode = 'truncated' | 'malformed' | 'invalid-filter';

/** The one error of this package: bytes that are not OpenFlow, or a filter that cannot be sent. */
export class OpenFlowError extends Error {
  override readonly name = 'OpenFlowError';
  readonly code: OpenFlowErrorCode;

  constructor(code: OpenFlowErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether `error` says that bytes are not OpenFlow or that a filter cannot be sent. */
export function isOpenFlowError(error: unknown, ...codes: readonly OpenFlowErrorCode[]): error is OpenFlowError {
  return error instanceof OpenFlowError && (codes.length === 0 || codes.includes(error.code));
}
