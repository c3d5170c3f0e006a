/** Why there is no PostgreSQL. */
export type PostgresBedErrorCode = 'missing-program' | 'start-failed' | 'start-timeout';

/** The one error of this package. */
export class PostgresBedError extends Error {
  override readonly name = 'PostgresBedError';
  readonly code: PostgresBedErrorCode;

  constructor(code: PostgresBedErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
