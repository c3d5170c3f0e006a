/** What may go wrong before a test can begin. */
export type ConsoleBedErrorCode = 'no-browser' | 'no-pages' | 'not-started' | 'page-failed' | 'no-token';

/** The error of this package. */
export class ConsoleBedError extends Error {
  readonly code: ConsoleBedErrorCode;

  constructor(code: ConsoleBedErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ConsoleBedError';
    this.code = code;
  }
}

export function isConsoleBedError(error: unknown, code: ConsoleBedErrorCode): error is ConsoleBedError {
  return error instanceof ConsoleBedError && error.code === code;
}
