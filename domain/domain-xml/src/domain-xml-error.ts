/** What is wrong with an instance, its context, or a domain that was read. The README explains each. */
export type DomainXmlErrorCode =
  | 'invalid-field'
  | 'missing-field'
  | 'missing-volume'
  | 'missing-network'
  | 'missing-device'
  | 'missing-firmware'
  | 'too-few-cpus'
  | 'unsupported-by-node'
  | 'unprintable'
  | 'not-a-domain';

/** The one error of this package. `field` is the path in the instance that cannot be carried out, if it is one's fault. */
export class DomainXmlError extends Error {
  override readonly name = 'DomainXmlError';
  readonly code: DomainXmlErrorCode;
  readonly field: string | undefined;

  constructor(code: DomainXmlErrorCode, message: string, options: ErrorOptions & { readonly field?: string } = {}) {
    super(options.field === undefined ? message : `${options.field}: ${message}`, options);
    this.code = code;
    this.field = options.field;
  }
}

/** Whether `error` comes from this package. */
export function isDomainXmlError(error: unknown): error is DomainXmlError {
  return error instanceof DomainXmlError;
}

/** Whether the instance itself is at fault: trying again, or elsewhere, does not help. */
export function isFaultOfInstance(error: unknown): error is DomainXmlError {
  return isDomainXmlError(error) && ['invalid-field', 'missing-field', 'unprintable'].includes(error.code);
}
