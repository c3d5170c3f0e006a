/** What went wrong. `runtime/websocket/README.md` explains each. */
export type WebSocketErrorCode = 'aborted' | 'bad-handshake' | 'closed' | 'connection' | 'protocol' | 'refused';

export interface WebSocketErrorOptions extends ErrorOptions {
  /** The status of the HTTP answer, for `refused`. */
  readonly httpStatus?: number;
  /** The first part of what the server answered, for `refused`. */
  readonly answer?: string;
  /** The code that the other side gave, for `closed`. */
  readonly closeCode?: number;
}

/** Why a WebSocket did not come about, or ended. */
export class WebSocketError extends Error {
  override readonly name = 'WebSocketError';
  readonly code: WebSocketErrorCode;
  readonly httpStatus: number | undefined;
  readonly answer: string;
  readonly closeCode: number | undefined;

  constructor(code: WebSocketErrorCode, message: string, options: WebSocketErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.httpStatus = options.httpStatus;
    this.answer = options.answer ?? '';
    this.closeCode = options.closeCode;
  }
}

/** Whether this is an error of this package, with one of these codes if any are named. */
export function isWebSocketError(error: unknown, ...codes: readonly WebSocketErrorCode[]): error is WebSocketError {
  return error instanceof WebSocketError && (codes.length === 0 || codes.includes(error.code));
}
