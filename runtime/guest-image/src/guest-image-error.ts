/** Why a guest image could not be made. */
export type GuestImageErrorCode = 'unusable-packages' | 'missing-boot-loader';

/** The one error of this package. What a program has to say comes as `LibvirtDaemonError`. */
export class GuestImageError extends Error {
  override readonly name = 'GuestImageError';
  readonly code: GuestImageErrorCode;

  constructor(code: GuestImageErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
