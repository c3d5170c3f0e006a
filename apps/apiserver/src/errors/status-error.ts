import type { ListMeta, Status, StatusDetails } from '@smalt/kubernetes';

/** The machine-readable word of a Status that tells what went wrong. */
export type StatusReason =
  | 'AlreadyExists'
  | 'BadRequest'
  | 'Conflict'
  | 'Expired'
  | 'Forbidden'
  | 'Gone'
  | 'InternalError'
  | 'Invalid'
  | 'MethodNotAllowed'
  | 'NotAcceptable'
  | 'NotFound'
  | 'RequestEntityTooLarge'
  | 'ServerTimeout'
  | 'ServiceUnavailable'
  | 'Timeout'
  | 'TooManyRequests'
  | 'Unauthorized'
  /** Is left out of the Status: the server itself does not know better. */
  | 'Unknown'
  | 'UnsupportedMediaType';

export interface StatusErrorContent {
  readonly code: number;
  readonly reason: StatusReason;
  readonly message: string;
  readonly details?: StatusDetails;
  readonly metadata?: ListMeta;
}

/** A refusal or a failure that a client is told about: an error that carries the Status it is answered with. */
export class StatusError extends Error {
  readonly code: StatusReason;
  readonly status: Status;

  constructor(content: StatusErrorContent, options?: ErrorOptions) {
    super(content.message, options);
    this.name = 'StatusError';
    this.code = content.reason;
    this.status = {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: content.metadata ?? {},
      status: 'Failure',
      message: content.message,
      ...(content.reason === 'Unknown' ? {} : { reason: content.reason }),
      ...(content.details === undefined ? {} : { details: content.details }),
      code: content.code,
    };
  }
}

/** The error that carries a Status which somebody else has made. Who catches it sees nothing but that. */
export function statusErrorOf(status: Status): StatusError {
  return new ForeignStatusError(status);
}

class ForeignStatusError extends StatusError {
  override readonly status: Status;

  constructor(status: Status) {
    super({ code: status.code, reason: 'Unknown', message: status.message ?? '' });
    this.status = status;
  }
}

export function isStatusError(error: unknown): error is StatusError {
  return error instanceof StatusError;
}

export function isNotFound(error: unknown): error is StatusError {
  return hasReason(error, 'NotFound');
}

export function isConflict(error: unknown): error is StatusError {
  return hasReason(error, 'Conflict');
}

export function isAlreadyExists(error: unknown): error is StatusError {
  return hasReason(error, 'AlreadyExists');
}

export function isExpired(error: unknown): error is StatusError {
  return hasReason(error, 'Expired');
}

function hasReason(error: unknown, reason: StatusReason): error is StatusError {
  return error instanceof StatusError && error.code === reason;
}
