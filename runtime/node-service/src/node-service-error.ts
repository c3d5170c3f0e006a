/** What went wrong. `runtime/node-service/README.md` explains each. */
export type NodeServiceErrorCode = 'bad-setting' | 'cannot-listen';

/** Why a service cannot be; the message begins with the setting that has to be changed. */
export class NodeServiceError extends Error {
  override readonly name = 'NodeServiceError';
  readonly code: NodeServiceErrorCode;

  constructor(code: NodeServiceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export function isCannotListen(error: unknown): error is NodeServiceError {
  return error instanceof NodeServiceError && error.code === 'cannot-listen';
}
