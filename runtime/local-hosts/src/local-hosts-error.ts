export type LocalHostsErrorCode = 'ended' | 'no-free-network' | 'start-failed' | 'unclear' | 'wait-timeout';

/** What went wrong with hosts on this machine. */
export class LocalHostsError extends Error {
  readonly code: LocalHostsErrorCode;

  constructor(code: LocalHostsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LocalHostsError';
    this.code = code;
  }
}

/** Whether a host was asked for something that needs its power on. */
export function isHostOff(error: unknown): boolean {
  return error instanceof LocalHostsError && error.code === 'ended';
}
