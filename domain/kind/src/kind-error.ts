/** Why a kind cannot be declared that way: its schema is not structural, or the declaration contradicts itself. */
export type KindErrorCode = 'not-structural' | 'invalid-declaration';

export class KindError extends Error {
  readonly code: KindErrorCode;

  constructor(code: KindErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KindError';
    this.code = code;
  }
}

/** Whether a schema uses something that Kubernetes does not allow in a CustomResourceDefinition. */
export function isNotStructural(error: unknown): error is KindError {
  return error instanceof KindError && error.code === 'not-structural';
}
