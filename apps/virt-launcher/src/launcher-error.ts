/** What went wrong. The README explains each. */
export type LauncherErrorCode = 'bad-flag' | 'no-cgroup' | 'guest-survived' | 'daemon-failed';

/** What a launcher cannot do; the message says what is to be done about it. */
export class LauncherError extends Error {
  override readonly name = 'LauncherError';
  readonly code: LauncherErrorCode;

  constructor(code: LauncherErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Whether a flag can never work. */
export function isBadFlag(error: unknown): error is LauncherError {
  return error instanceof LauncherError && error.code === 'bad-flag';
}
