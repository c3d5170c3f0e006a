/** What went wrong. `clients/systemd/README.md` explains each. */
export type SystemdErrorCode =
  | 'no-bus'
  | 'bus-lost'
  | 'access-denied'
  | 'no-such-unit'
  | 'no-service'
  | 'unsupported'
  | 'timeout'
  | 'aborted'
  | 'closed'
  | 'refused'
  | 'queue-full'
  | 'bad-answer'
  | 'invalid-argument'
  | 'missing-program';

export interface SystemdErrorOptions extends ErrorOptions {
  /** The name of the error as the bus or the service gave it, such as `org.freedesktop.systemd1.UnitMasked`. */
  readonly remoteName?: string | undefined;
}

/** The one error of this package. */
export class SystemdError extends Error {
  override readonly name = 'SystemdError';
  readonly code: SystemdErrorCode;
  readonly remoteName: string | undefined;

  constructor(code: SystemdErrorCode, message: string, options: SystemdErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.remoteName = options.remoteName;
  }
}

/** Whether this is an error of this package, with one of these codes if any are named. */
export function isSystemdError(error: unknown, ...codes: readonly SystemdErrorCode[]): error is SystemdError {
  return error instanceof SystemdError && (codes.length === 0 || codes.includes(error.code));
}

/** Whether the bus could not be reached, or went away during the call, which may or may not have been carried out. */
export function isBusAway(error: unknown): boolean {
  return isSystemdError(error, 'no-bus', 'bus-lost');
}

/** Whether there is no such unit. */
export function isNoSuchUnit(error: unknown): boolean {
  return isSystemdError(error, 'no-such-unit');
}

/** Whether the caller may not do that. */
export function isAccessDenied(error: unknown): boolean {
  return isSystemdError(error, 'access-denied');
}

/** Whether nobody answered within the time limit. */
export function isTimeout(error: unknown): boolean {
  return isSystemdError(error, 'timeout');
}

/** Whether the caller's own signal ended it. */
export function isAborted(error: unknown): boolean {
  return isSystemdError(error, 'aborted');
}
