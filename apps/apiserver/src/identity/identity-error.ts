/** Why the server cannot vouch for somebody: its own files, or what it was asked to sign, are not in order. */
export type IdentityErrorCode =
  | 'damaged-identity'
  | 'invalid-certificate-request'
  | 'signer-refused'
  | 'signer-expired';

export class IdentityError extends Error {
  readonly code: IdentityErrorCode;

  constructor(code: IdentityErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'IdentityError';
    this.code = code;
  }
}

/** Whether a signer will never sign this request, however often it is asked. */
export function isSignerRefusal(error: unknown): error is IdentityError {
  return (
    error instanceof IdentityError && (error.code === 'signer-refused' || error.code === 'invalid-certificate-request')
  );
}
