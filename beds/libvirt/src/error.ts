/** Why a bed could not be made or used. */
export type BedErrorCode =
  | 'invalid-option'
  | 'command-failed'
  | 'wait-timeout'
  | 'no-free-network'
  | 'unsafe-directory'
  | 'ended';

/** The one error of this package. What a daemon has to say comes as `LibvirtDaemonError`. */
export class BedError extends Error {
  override readonly name = 'BedError';
  readonly code: BedErrorCode;

  constructor(code: BedErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
