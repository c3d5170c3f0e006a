/**
 * What a client is told: `conflict` is 409 Conflict with the causes, `bad-request` 400 BadRequest, and `failed` 500
 * without a reason, which is what Kubernetes makes of an object that does not fit its schema.
 */
export type ManagedFieldsErrorCode = 'conflict' | 'bad-request' | 'failed';

/** A field that another manager owns with another value, as it stands in the causes of a Status. */
export interface FieldConflict {
  readonly reason: 'FieldManagerConflict';
  readonly message: string;
  readonly field: string;
}

/** Why managed fields cannot be worked out. The message is the one that Kubernetes gives. */
export class ManagedFieldsError extends Error {
  readonly code: ManagedFieldsErrorCode;
  /** Empty unless the code is `conflict`. */
  readonly conflicts: readonly FieldConflict[];

  constructor(
    code: ManagedFieldsErrorCode,
    message: string,
    options?: ErrorOptions & { readonly conflicts?: readonly FieldConflict[] },
  ) {
    super(message, options);
    this.name = 'ManagedFieldsError';
    this.code = code;
    this.conflicts = options?.conflicts ?? [];
  }
}

export function isApplyConflict(error: unknown): error is ManagedFieldsError {
  return error instanceof ManagedFieldsError && error.code === 'conflict';
}
