import type { Status } from '@smalt/kubernetes';

/** What went wrong, for programs; the text for people is the message. */
export type KubeErrorCode =
  | 'aborted'
  | 'already-exists'
  | 'apply-conflict'
  | 'bad-answer'
  | 'bad-config'
  | 'bad-request'
  | 'conflict'
  | 'connection'
  | 'expired'
  | 'forbidden'
  | 'invalid'
  | 'not-found'
  | 'server'
  | 'timeout'
  | 'too-many-requests'
  | 'unauthorized'
  | 'unsupported';

export interface KubeErrorOptions extends ErrorOptions {
  readonly status?: Status | undefined;
  readonly httpStatus?: number | undefined;
  /** How long the server is left alone because it asked for that: half a minute at most. */
  readonly retryAfterMs?: number | undefined;
}

/** An error of the API server, or of the way to it. */
export class KubeError extends Error {
  readonly code: KubeErrorCode;
  readonly status: Status | undefined;
  readonly httpStatus: number | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(code: KubeErrorCode, message: string, options: KubeErrorOptions = {}) {
    super(message, options);
    this.name = 'KubeError';
    this.code = code;
    this.status = options.status;
    this.httpStatus = options.httpStatus;
    this.retryAfterMs = options.retryAfterMs;
  }
}

export function isKubeError(error: unknown, ...codes: readonly KubeErrorCode[]): error is KubeError {
  return error instanceof KubeError && (codes.length === 0 || codes.includes(error.code));
}

export function isNotFound(error: unknown): error is KubeError {
  return isKubeError(error, 'not-found');
}

export function isAlreadyExists(error: unknown): error is KubeError {
  return isKubeError(error, 'already-exists');
}

/** Whether somebody else has changed the object since it was read. */
export function isConflict(error: unknown): error is KubeError {
  return isKubeError(error, 'conflict');
}

/** Whether a resourceVersion or a continue token is too old to go on from: list again. */
export function isExpired(error: unknown): error is KubeError {
  return isKubeError(error, 'expired');
}
