import type { StatusCause } from '@smalt/kubernetes';

export type ApiErrorCode =
  | 'signed-out'
  | 'refused'
  | 'not-found'
  | 'conflict'
  | 'invalid'
  | 'busy'
  | 'unreachable'
  | 'failed';

export interface ApiErrorDetails {
  readonly code: ApiErrorCode;
  /** 0 when there was no answer. */
  readonly status: number;
  readonly message: string;
  /** What is wrong field by field, in the server's words. */
  readonly causes?: readonly StatusCause[];
  readonly cause?: unknown;
}

/** A call that did not do what was asked. The message is the server's and can be shown. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly causes: readonly StatusCause[];

  constructor({ code, status, message, causes = [], cause }: ApiErrorDetails) {
    super(message, { cause });
    this.code = code;
    this.status = status;
    this.causes = causes;
  }
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'signed-out';
}

/** Words for a person, whatever went wrong. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
