export type OperatorErrorCode =
  /** A setting makes no sense; the message begins with its name. */
  | 'bad-setting'
  /** The API server cannot be reached, or does not let us ask. */
  | 'api-unavailable'
  /** The cluster does not know our kinds, or not all of their fields. */
  | 'missing-definitions'
  /** The compute system refuses who we are. */
  | 'login-refused'
  /** A kind that was not served at the start is served now: a new start follows it. */
  | 'kinds-changed';

/** Why an operator does not start, or does not go on. The message says what to do. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
  readonly code: OperatorErrorCode;

  constructor(code: OperatorErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

export function isBadSetting(error: unknown): error is OperatorError {
  return error instanceof OperatorError && error.code === 'bad-setting';
}

/** Whether the operator ended only to be started anew. */
export function isKindsChanged(error: unknown): error is OperatorError {
  return error instanceof OperatorError && error.code === 'kinds-changed';
}
