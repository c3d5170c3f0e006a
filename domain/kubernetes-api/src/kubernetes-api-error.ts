/**
 * Why an object of a built-in kind could not be read or written: the bytes are `malformed`, the kind is not one of
 * ours, or a value has another type than its field.
 */
export type KubernetesApiErrorCode = 'malformed' | 'unknown-kind' | 'wrong-type';

export class KubernetesApiError extends Error {
  readonly code: KubernetesApiErrorCode;

  constructor(code: KubernetesApiErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'KubernetesApiError';
    this.code = code;
  }
}

export function isMalformed(error: unknown): boolean {
  return error instanceof KubernetesApiError && error.code === 'malformed';
}

export function isUnknownKind(error: unknown): boolean {
  return error instanceof KubernetesApiError && error.code === 'unknown-kind';
}

export function isWrongType(error: unknown): boolean {
  return error instanceof KubernetesApiError && error.code === 'wrong-type';
}
