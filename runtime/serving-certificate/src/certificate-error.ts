/** What went wrong. `runtime/serving-certificate/README.md` explains each. */
export type CertificateErrorCode = 'contended' | 'unreadable-file' | 'bad-file';

/** Why there is no certificate. */
export class CertificateError extends Error {
  override readonly name = 'CertificateError';
  readonly code: CertificateErrorCode;

  constructor(code: CertificateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
