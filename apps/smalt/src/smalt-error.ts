export type SmaltErrorCode =
  | 'bad-address'
  | 'failed'
  | 'no-stream'
  | 'no-troubleshooting'
  | 'not-found'
  | 'not-running'
  | 'refused'
  | 'start-failed'
  | 'timed-out'
  | 'wrong-use';

/** What went wrong with a command, in words for the one who gave it. */
export class SmaltError extends Error {
  readonly code: SmaltErrorCode;

  constructor(code: SmaltErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SmaltError';
    this.code = code;
  }
}
