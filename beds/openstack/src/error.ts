/** Why a cloud could not be made or used as it was asked for; the rest is told by `LocalOpenStackError`. */
export type OpenStackBedErrorCode = 'invalid-option';

/** The one error of this package. */
export class OpenStackBedError extends Error {
  override readonly name = 'OpenStackBedError';
  readonly code: OpenStackBedErrorCode;

  constructor(code: OpenStackBedErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
