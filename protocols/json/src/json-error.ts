/** Why text is not JSON that can be used: it is malformed, nests too deep, or holds a name that cannot be kept. */
export type JsonErrorCode = 'malformed' | 'too-deep' | 'forbidden-name';

export class JsonError extends Error {
  readonly code: JsonErrorCode;

  constructor(code: JsonErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'JsonError';
    this.code = code;
  }
}
