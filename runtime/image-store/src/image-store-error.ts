/** Why the image store refused. */
export type ImageStoreErrorCode =
  | 'invalid-reference'
  | 'image-not-found'
  | 'image-damaged'
  | 'unsupported-image'
  | 'unreadable-file'
  | 'image-in-use'
  | 'disk-full'
  | 'store-failed';

/** The one error of this package. */
export class ImageStoreError extends Error {
  override readonly name = 'ImageStoreError';
  readonly code: ImageStoreErrorCode;

  constructor(code: ImageStoreErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Whether no image has the name that was asked for; the message says how to give it one. */
export function isImageNotFound(error: unknown): error is ImageStoreError {
  return error instanceof ImageStoreError && error.code === 'image-not-found';
}
