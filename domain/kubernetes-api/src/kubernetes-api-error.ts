/**
 * Why an object of a built-in kind could not be read or written: the bytes are `malformed`, the kind is not one of
 * ours, a value has another type than its field, or the `load` of its resource was not waited for.
 */
export type KubernetesApiErrorCode = 'malformed' | 'not-loaded' | 'unknown-kind' | 'wrong-type';

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
