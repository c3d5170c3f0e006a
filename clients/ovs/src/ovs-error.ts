/** What went wrong. `clients/ovs/README.md` explains each. */
export type OvsErrorCode =
  | 'unreachable'
  | 'closed'
  | 'timeout'
  | 'aborted'
  | 'protocol'
  | 'refused'
  | 'too-large'
  | 'unsupported'
  | 'not-running'
  | 'queue-full'
  | 'invalid-argument';

export interface OvsErrorOptions extends ErrorOptions {
  /** Which operation of a transaction was refused, counted from 0; as many as there are: the transaction as a whole. */
  readonly operation?: number | undefined;
}

/** The one error of this package. */
export class OvsError extends Error {
  override readonly name = 'OvsError';
  readonly code: OvsErrorCode;
  readonly operation: number | undefined;

  constructor(code: OvsErrorCode, message: string, options: OvsErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.operation = options.operation;
  }
}

/** Whether this is an error of this package, with one of these codes if any are named. */
export function isOvsError(error: unknown, ...codes: readonly OvsErrorCode[]): error is OvsError {
  return error instanceof OvsError && (codes.length === 0 || codes.includes(error.code));
}

/** Whether nothing listens there, or the connection went away during the call, which may or may not have been carried out. */
export function isUnreachable(error: unknown): boolean {
  return isOvsError(error, 'unreachable', 'not-running');
}

/** Whether nobody answered within the time limit. What was asked for may still be carried out. */
export function isTimeout(error: unknown): boolean {
  return isOvsError(error, 'timeout');
}

/** Whether the caller's own signal ended it. */
export function isAborted(error: unknown): boolean {
  return isOvsError(error, 'aborted');
}

/** Whether the daemon answered, and said no. */
export function isRefused(error: unknown): boolean {
  return isOvsError(error, 'refused');
}
