/** What went wrong with a process itself: how it was configured, and how it ended. */
export type ServiceErrorCode = 'invalid-config' | 'unreadable-config' | 'invalid-metric' | 'invalid-check';

export class ServiceError extends Error {
  readonly code: ServiceErrorCode;

  constructor(code: ServiceErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ServiceError';
    this.code = code;
  }
}

/** Whether the fault is in what the user wrote, so that a program says it in one line and shows no stack. */
export function isConfigError(error: unknown): error is ServiceError {
  return error instanceof ServiceError && (error.code === 'invalid-config' || error.code === 'unreadable-config');
}
