export type LifecycleErrorCode = 'invalid-quantity';

/** An object that no decision can be made about: the message names the field and what to write instead. */
export class LifecycleError extends Error {
  readonly code: LifecycleErrorCode;

  constructor(code: LifecycleErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'LifecycleError';
    this.code = code;
  }
}

export function isInvalidQuantity(error: unknown): error is LifecycleError {
  return error instanceof LifecycleError && error.code === 'invalid-quantity';
}
