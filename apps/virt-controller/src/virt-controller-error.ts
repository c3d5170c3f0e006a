export type VirtControllerErrorCode = 'bad-setting' | 'missing-definitions' | 'name-taken';

/** What keeps the controller from its work; the message says what to do about it. */
export class VirtControllerError extends Error {
  readonly code: VirtControllerErrorCode;

  constructor(code: VirtControllerErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'VirtControllerError';
    this.code = code;
  }
}

/** Whether an object of another owner has the name that one of ours needs. */
export function isNameTaken(error: unknown): error is VirtControllerError {
  return error instanceof VirtControllerError && error.code === 'name-taken';
}
