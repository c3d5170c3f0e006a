/**
 * What a client is told: `malformed` is 400 BadRequest, `unprocessable` 422 Invalid, `too-large` 413
 * RequestEntityTooLarge, and `failed` 500 without a reason, which is what Kubernetes makes of all the rest.
 */
export type ObjectPatchErrorCode = 'malformed' | 'unprocessable' | 'too-large' | 'failed';

const UNPROCESSABLE = 'the server rejected our request due to an error in our request';

/** A patch that cannot be applied. The message is the one that Kubernetes gives; the detail says what really is wrong. */
export class ObjectPatchError extends Error {
  readonly code: ObjectPatchErrorCode;
  readonly detail: string;

  constructor(code: ObjectPatchErrorCode, detail: string, options?: ErrorOptions) {
    super(code === 'unprocessable' ? UNPROCESSABLE : detail, options);
    this.name = 'ObjectPatchError';
    this.code = code;
    this.detail = detail;
  }
}

export function isMalformedPatch(error: unknown): error is ObjectPatchError {
  return error instanceof ObjectPatchError && error.code === 'malformed';
}

export function isUnprocessablePatch(error: unknown): error is ObjectPatchError {
  return error instanceof ObjectPatchError && error.code === 'unprocessable';
}
