/** Why a cloud could not be made or used. */
export type LocalOpenStackErrorCode =
  | 'unsupported-system'
  | 'service-failed'
  | 'not-ready'
  | 'request-failed'
  | 'control-failed';

/** The one error of this package. */
export class LocalOpenStackError extends Error {
  override readonly name = 'LocalOpenStackError';
  readonly code: LocalOpenStackErrorCode;

  constructor(code: LocalOpenStackErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
