/** Why a sandbox could not be read, made or ended. The README explains each. */
export type PodSandboxErrorCode =
  | 'invalid-sandbox'
  | 'invalid-cgroup'
  | 'no-hierarchy'
  | 'cgroup-gone'
  | 'process-gone'
  | 'not-permitted'
  | 'still-populated'
  | 'failed';

/** The one error of this package. */
export class PodSandboxError extends Error {
  override readonly name = 'PodSandboxError';
  readonly code: PodSandboxErrorCode;

  constructor(code: PodSandboxErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Whether the record of a pod makes no sense, and not only cannot be read. */
export function isInvalidSandbox(error: unknown): error is PodSandboxError {
  return error instanceof PodSandboxError && error.code === 'invalid-sandbox';
}

/** Whether the cgroup is no longer there: its pod has ended. */
export function isCgroupGone(error: unknown): error is PodSandboxError {
  return error instanceof PodSandboxError && error.code === 'cgroup-gone';
}

/** Whether the process that was to be moved has ended. */
export function isProcessGone(error: unknown): error is PodSandboxError {
  return error instanceof PodSandboxError && error.code === 'process-gone';
}
