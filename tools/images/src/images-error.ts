/** Why no image could be made. */
export type ImagesErrorCode =
  | 'bad-argument'
  | 'bad-archive'
  | 'bad-program'
  | 'changed-packages'
  | 'command-failed'
  | 'missing-bundle'
  | 'missing-file'
  | 'missing-library'
  | 'missing-package';

/** The one error of this tool; its message says what to do next. */
export class ImagesError extends Error {
  override readonly name = 'ImagesError';
  readonly code: ImagesErrorCode;

  constructor(code: ImagesErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
