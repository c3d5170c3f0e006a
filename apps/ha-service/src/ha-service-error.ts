export type HaServiceErrorCode =
  /** The configuration is wrong; the message has one line for each field. */
  | 'bad-settings'
  /** The configuration, or a file that it names, cannot be read. */
  | 'unreadable-file'
  /** The cluster does not know Hypervisors. */
  | 'missing-definitions'
  /** The compute system refuses who we are. */
  | 'login-refused'
  /** The address cannot be listened on. */
  | 'cannot-listen'
  /** Somebody else leads: what the store holds was not written by us. */
  | 'lead-lost'
  /** A call to the outside took too long. */
  | 'deadline'
  /** A request of the REST API is not as it has to be; `field` says where. */
  | 'invalid-request'
  /** Nobody is known by what the request shows. */
  | 'unauthorized'
  /** Who asks may not do this. */
  | 'forbidden'
  /** What is asked for is not there. */
  | 'not-found'
  /** It cannot be done as things are. */
  | 'conflict'
  /** Who asks does so too often. */
  | 'too-many-requests'
  /** Something that is needed for the answer is away; it may be asked again. */
  | 'unavailable';

/** Why the service does not start, does not go on, or does not do what it was asked. The message says what to do. */
export class HaServiceError extends Error {
  override readonly name = 'HaServiceError';
  readonly code: HaServiceErrorCode;
  /** The field of a request that is wrong. */
  readonly field: string | undefined;

  constructor(code: HaServiceErrorCode, message: string, options: ErrorOptions & { readonly field?: string } = {}) {
    super(message, options);
    this.code = code;
    this.field = options.field;
  }
}

export function isBadSettings(error: unknown): error is HaServiceError {
  return error instanceof HaServiceError && error.code === 'bad-settings';
}

/** Whether somebody else leads by now, so that nothing more may be done. */
export function isLeadLost(error: unknown): error is HaServiceError {
  return error instanceof HaServiceError && error.code === 'lead-lost';
}
