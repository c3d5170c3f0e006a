/** Why a machine could not be made or used. */
export type SystemdBedErrorCode = 'invalid-option' | 'start-failed' | 'start-timeout' | 'aborted' | 'ended';

/** The one error of this package. What a program run in the machine has to say comes as `LibvirtDaemonError`. */
export class SystemdBedError extends Error {
  override readonly name = 'SystemdBedError';
  readonly code: SystemdBedErrorCode;

  constructor(code: SystemdBedErrorCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}
