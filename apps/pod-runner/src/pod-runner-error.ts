/** What went wrong. `apps/pod-runner/README.md` explains each. */
export type PodRunnerErrorCode =
  | 'bad-setting'
  | 'not-root'
  | 'directory-in-use'
  | 'other-cluster'
  | 'invalid-pod'
  | 'volume-not-ready'
  | 'launch-failed'
  | 'no-processors'
  | 'bad-state';

/** What a pod runner cannot do; the message says what is to be done about it. */
export class PodRunnerError extends Error {
  override readonly name = 'PodRunnerError';
  readonly code: PodRunnerErrorCode;

  constructor(code: PodRunnerErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Whether this is an error of this package, with one of these codes if any are named. */
export function isPodRunnerError(error: unknown, ...codes: readonly PodRunnerErrorCode[]): error is PodRunnerError {
  return error instanceof PodRunnerError && (codes.length === 0 || codes.includes(error.code));
}

/** Whether a setting can never work. */
export function isBadSetting(error: unknown): error is PodRunnerError {
  return isPodRunnerError(error, 'bad-setting');
}

/** Whether a pod asks for something that this runner will never give. */
export function isInvalidPod(error: unknown): error is PodRunnerError {
  return isPodRunnerError(error, 'invalid-pod');
}
