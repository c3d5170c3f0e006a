/** Why a bed could not be made or used. */
export type OvsBedErrorCode = 'invalid-option' | 'start-failed' | 'start-timeout' | 'wait-timeout' | 'not-running';

/** The one error of this package. What a program has to say comes as `LibvirtDaemonError` of `@smalt/libvirt-daemon`. */
export class OvsBedError extends Error {
  override readonly name = 'OvsBedError';
  readonly code: OvsBedErrorCode;

  constructor(code: OvsBedErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
