/** What went wrong, for programs; the text for people is the message. */
export type OpenStackErrorCode =
  | 'aborted'
  | 'bad-answer'
  | 'bad-argument'
  | 'bad-config'
  | 'bad-request'
  | 'concurrent-update'
  | 'conflict'
  | 'connection'
  | 'forbidden'
  | 'in-use'
  | 'microversion'
  | 'no-endpoint'
  | 'not-found'
  | 'quota'
  | 'server'
  | 'timeout'
  | 'too-large'
  | 'too-many-requests'
  | 'unauthorized'
  | 'unavailable';

export interface OpenStackErrorOptions extends ErrorOptions {
  readonly httpStatus?: number | undefined;
  /** What the service calls this request in its own logs. */
  readonly requestId?: string | undefined;
  /** How long the service asked to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

/** An error of a service of the cloud, of the way to it, or of what it was asked. */
export class OpenStackError extends Error {
  override readonly name = 'OpenStackError';
  readonly code: OpenStackErrorCode;
  readonly httpStatus: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: OpenStackErrorCode, message: string, options: OpenStackErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.httpStatus = options.httpStatus;
    this.requestId = options.requestId;
    this.retryAfterMs = options.retryAfterMs;
  }
}

/** Whether it is an error of this package, with one of the codes if there are any. */
export function isOpenStackError(error: unknown, ...codes: readonly OpenStackErrorCode[]): error is OpenStackError {
  return error instanceof OpenStackError && (codes.length === 0 || codes.includes(error.code));
}

export function isNotFound(error: unknown): error is OpenStackError {
  return isOpenStackError(error, 'not-found');
}

/** Whether the state of the thing does not allow this, such as a server that is being moved already. */
export function isConflict(error: unknown): error is OpenStackError {
  return isOpenStackError(error, 'conflict', 'concurrent-update', 'in-use');
}

/** Whether somebody else has changed the thing since it was read: read it again and try again. */
export function isConcurrentUpdate(error: unknown): error is OpenStackError {
  return isOpenStackError(error, 'concurrent-update');
}

/** Whether the thing cannot be deleted because others still use it. */
export function isInUse(error: unknown): error is OpenStackError {
  return isOpenStackError(error, 'in-use');
}

/** Whether the cloud may answer well later, without anybody doing anything. */
export function isPassing(error: unknown): error is OpenStackError {
  return isOpenStackError(error, 'connection', 'server', 'timeout', 'too-many-requests', 'unavailable');
}

/** Whether a request may have been carried out although it failed: look before it is made again. */
export function isFateUnknown(error: unknown): error is OpenStackError {
  return isOpenStackError(error, 'aborted', 'bad-answer', 'connection', 'server', 'timeout', 'unavailable');
}
