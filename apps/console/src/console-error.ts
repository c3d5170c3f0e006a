export type ConsoleErrorCode =
  | 'bad-setting'
  | 'cannot-listen'
  | 'bad-request'
  | 'signed-out'
  | 'forbidden'
  | 'not-found'
  | 'wrong-method'
  | 'too-large'
  | 'misdirected'
  | 'too-many-requests'
  | 'unavailable';

/** Why something was not done, in words for the one who asked. */
export class ConsoleError extends Error {
  readonly code: ConsoleErrorCode;
  /** What of the request is wrong. */
  readonly field: string | undefined;

  constructor(code: ConsoleErrorCode, message: string, options?: ErrorOptions & { readonly field?: string }) {
    super(message, options);
    this.name = 'ConsoleError';
    this.code = code;
    this.field = options?.field;
  }
}

/** Whether it is one of ours with one of these codes; with any, when none is named. */
export function isConsoleError(error: unknown, ...codes: readonly ConsoleErrorCode[]): error is ConsoleError {
  return error instanceof ConsoleError && (codes.length === 0 || codes.includes(error.code));
}

const STATUSES: Readonly<Record<ConsoleErrorCode, number>> = {
  'bad-setting': 500,
  'cannot-listen': 500,
  'bad-request': 400,
  'signed-out': 401,
  forbidden: 403,
  'not-found': 404,
  'wrong-method': 405,
  'too-large': 413,
  misdirected: 421,
  'too-many-requests': 429,
  unavailable: 503,
};

/** The status of the answer that tells of it. */
export function statusOf({ code }: ConsoleError): number {
  return STATUSES[code];
}
