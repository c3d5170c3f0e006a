/** What went wrong with a database, in words that are the same for both engines. */
export type StoreErrorCode =
  | 'invalid-location'
  | 'unreachable'
  | 'refused'
  | 'busy'
  | 'timeout'
  | 'conflict'
  | 'duplicate'
  | 'invalid-value'
  | 'full-disk'
  | 'read-only'
  | 'corrupt'
  | 'newer-schema'
  | 'foreign-schema'
  | 'unsupported'
  | 'closed'
  | 'failed';

export interface StoreErrorOptions extends ErrorOptions {
  readonly isFateUnknown?: boolean;
}

/** The one error of this package. No message of it holds a password or a stored value. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  /** Whether the answer to a commit was lost: it may have happened. Without this nothing has. */
  readonly isFateUnknown: boolean;

  constructor(code: StoreErrorCode, message: string, { isFateUnknown = false, ...options }: StoreErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.isFateUnknown = isFateUnknown;
  }
}

/** Whether it is an error of a database, of this code if one is named. */
export function isStoreError(error: unknown, code?: StoreErrorCode): error is StoreError {
  return error instanceof StoreError && (code === undefined || error.code === code);
}
