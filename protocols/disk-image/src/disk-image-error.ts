/** Why an image cannot be made or taken. */
export type DiskImageErrorCode =
  | 'invalid-label'
  | 'invalid-path'
  | 'duplicate-path'
  | 'too-deep'
  | 'too-large'
  | 'invalid-size'
  | 'damaged-image'
  | 'unsupported-image';

/** The one error of this package. The message names the path or the label that is at fault, never what files hold. */
export class DiskImageError extends Error {
  override readonly name = 'DiskImageError';
  readonly code: DiskImageErrorCode;

  constructor(code: DiskImageErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
