/** Why what came is not JSON-RPC that can be used. `protocols/json-rpc/README.md` explains each. */
export type JsonRpcErrorCode = 'malformed' | 'too-large' | 'too-deep' | 'not-a-message';

/** The one error of this package. */
export class JsonRpcError extends Error {
  override readonly name = 'JsonRpcError';
  readonly code: JsonRpcErrorCode;

  constructor(code: JsonRpcErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether this is an error of this package, with one of these codes if any are named. */
export function isJsonRpcError(error: unknown, ...codes: readonly JsonRpcErrorCode[]): error is JsonRpcError {
  return error instanceof JsonRpcError && (codes.length === 0 || codes.includes(error.code));
}
