/** Why a cloud could not be made or used. */
export type OpenStackBedErrorCode =
  | 'invalid-option'
  | 'unsupported-system'
  | 'service-failed'
  | 'not-ready'
  | 'request-failed'
  | 'control-failed';

/** The one error of this package. */
export class OpenStackBedError extends Error {
  override readonly name = 'OpenStackBedError';
  readonly code: OpenStackBedErrorCode;

  constructor(code: OpenStackBedErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
