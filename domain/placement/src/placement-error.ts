export type PlacementErrorCode = 'invalid-quantity' | 'invalid-selector';

/** An object that cannot be read: the message names the object, the field and what is wrong with it. */
export class PlacementError extends Error {
  readonly code: PlacementErrorCode;

  constructor(code: PlacementErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PlacementError';
    this.code = code;
  }
}

/** Whether an object could not be read; the rest of the cluster can still be placed without it. */
export function isInvalidObject(error: unknown): error is PlacementError {
  return error instanceof PlacementError;
}
