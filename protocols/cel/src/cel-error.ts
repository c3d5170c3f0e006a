/**
 * What went wrong: the text has errors (`compile`), a part that never changes cannot be computed (`program`), the result
 * would be of another type (`result`), an evaluation failed (`evaluate`), it cost more than one may (`cost`), or the
 * budget that several share is spent (`budget`).
 */
export type CelErrorCode = 'compile' | 'program' | 'result' | 'evaluate' | 'cost' | 'budget';

/** One thing that is wrong in the text of an expression; lines and columns count from one. */
export interface CelIssue {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export class CelError extends Error {
  readonly code: CelErrorCode;
  readonly issues: readonly CelIssue[];

  constructor(code: CelErrorCode, message: string, options?: ErrorOptions & { readonly issues?: readonly CelIssue[] }) {
    super(message, options);
    this.name = 'CelError';
    this.code = code;
    this.issues = options?.issues ?? [];
  }
}

export function isCelError(error: unknown): error is CelError {
  return error instanceof CelError;
}
