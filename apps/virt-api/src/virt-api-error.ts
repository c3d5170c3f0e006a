import type { Status, StatusDetails } from '@smalt/kubernetes';

export type VirtApiErrorCode = 'bad-setting' | 'refused';

/** Why something was not done. A refusal carries the Status that the client is told. */
export class VirtApiError extends Error {
  readonly code: VirtApiErrorCode;
  readonly status: Status | undefined;

  constructor(code: VirtApiErrorCode, message: string, options?: ErrorOptions & { readonly status?: Status }) {
    super(message, options);
    this.name = 'VirtApiError';
    this.code = code;
    this.status = options?.status;
  }
}

/** Whether the client is to be told this Status. */
export function isRefusal(error: unknown): error is VirtApiError & { readonly status: Status } {
  return error instanceof VirtApiError && error.status !== undefined;
}

/** The refusal that tells the client a Status. */
export function refusal(status: Status, options?: ErrorOptions): VirtApiError {
  return new VirtApiError('refused', status.message ?? status.reason ?? 'refused', { ...options, status });
}

const REASONS: ReadonlyMap<number, string> = new Map([
  [400, 'BadRequest'],
  [401, 'Unauthorized'],
  [403, 'Forbidden'],
  [404, 'NotFound'],
  [405, 'MethodNotAllowed'],
  [409, 'Conflict'],
  [413, 'RequestEntityTooLarge'],
  [422, 'Invalid'],
  [429, 'TooManyRequests'],
  [500, 'InternalError'],
  [501, 'NotImplemented'],
  [503, 'ServiceUnavailable'],
  [504, 'Timeout'],
]);

/** The Status of a refusal with that code. */
export function statusOf(code: number, message: string, details?: StatusDetails): Status {
  const reason = REASONS.get(code);
  return {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  };
}
