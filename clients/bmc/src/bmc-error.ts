/** What went wrong, for programs; the text for people is the message. */
export type BmcErrorCode =
  | 'aborted'
  | 'bad-answer'
  | 'bad-setting'
  | 'certificate'
  | 'no-such-system'
  | 'refused'
  | 'timeout'
  | 'tool-missing'
  | 'unauthorized'
  | 'unreachable';

export interface BmcErrorOptions extends ErrorOptions {
  readonly httpStatus?: number | undefined;
  /** How long the controller asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

/** An error of a management controller, of the way to it, or of what it was asked. Its message holds no secret. */
export class BmcError extends Error {
  override readonly name = 'BmcError';
  readonly code: BmcErrorCode;
  readonly httpStatus: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: BmcErrorCode, message: string, options: BmcErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.httpStatus = options.httpStatus;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Whether it is an error of this package, with one of the codes if there are any. */
export function isBmcError(error: unknown, ...codes: readonly BmcErrorCode[]): error is BmcError {
  return error instanceof BmcError && (codes.length === 0 || codes.includes(error.code));
}

/** Whether asking again changes nothing until a person does something; another try may even lock an account. */
export function isLasting(error: unknown): error is BmcError {
  return isBmcError(error, 'bad-setting', 'certificate', 'no-such-system', 'tool-missing', 'unauthorized');
}

/** Whether a power command may have been carried out although it failed: read the state. */
export function isFateUnknown(error: unknown): error is BmcError {
  return isBmcError(error, 'aborted', 'bad-answer', 'timeout', 'unreachable');
}
