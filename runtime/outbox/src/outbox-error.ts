/**
 * Why an outbox cannot do what was asked: another process has it open, its file makes no sense, it was closed, an item is
 * larger than it may be, or no more numbers can be given while the disk is full.
 */
export type OutboxErrorCode = 'locked' | 'damaged' | 'closed' | 'too-large' | 'exhausted';

export class OutboxError extends Error {
  readonly code: OutboxErrorCode;

  constructor(code: OutboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'OutboxError';
    this.code = code;
  }
}

export function isOutboxError(error: unknown, code?: OutboxErrorCode): error is OutboxError {
  return error instanceof OutboxError && (code === undefined || error.code === code);
}
