/** What cannot be worked with: a path that is none, a pattern that is none, a definition without that version. */
export type StructuralSchemaErrorCode = 'invalid-json-path' | 'json-path-failed' | 'no-such-version';

export class StructuralSchemaError extends Error {
  readonly code: StructuralSchemaErrorCode;

  constructor(code: StructuralSchemaErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StructuralSchemaError';
    this.code = code;
  }
}

export function isInvalidJsonPath(error: unknown): boolean {
  return error instanceof StructuralSchemaError && error.code === 'invalid-json-path';
}
