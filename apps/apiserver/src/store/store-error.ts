/**
 * Why a store cannot be used: another process holds it, the file is not ours, was written by a newer version, is
 * damaged or out of reach, was closed, or could not take a write, at all or because the object is too
 * large or nested too deep.
 */
export type StoreErrorCode =
  | 'locked'
  | 'foreign'
  | 'newer'
  | 'damaged'
  | 'unreachable'
  | 'closed'
  | 'write-failed'
  | 'too-large'
  | 'too-deep';

export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreError';
    this.code = code;
  }
}

export function isStoreError(error: unknown, code?: StoreErrorCode): error is StoreError {
  return error instanceof StoreError && (code === undefined || error.code === code);
}
