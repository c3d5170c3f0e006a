/** Why a file could not be locked. */
export type FilesErrorCode = 'missing-program' | 'lock-failed';

/** The one error of this package; what the file system refuses is thrown as it comes. */
export class FilesError extends Error {
  override readonly name = 'FilesError';
  readonly code: FilesErrorCode;

  constructor(code: FilesErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether a program that a Debian package would provide is missing. */
export function isMissingProgram(error: unknown): error is FilesError {
  return error instanceof FilesError && error.code === 'missing-program';
}
