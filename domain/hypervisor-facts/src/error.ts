/** Why a document says nothing that could be told. */
export type HypervisorFactsErrorCode = 'unreadable-capabilities' | 'unreadable-domain-capabilities';

/** A document of libvirt that nothing can be learned from. What was learned before is still the best knowledge. */
export class HypervisorFactsError extends Error {
  readonly code: HypervisorFactsErrorCode;

  constructor(code: HypervisorFactsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HypervisorFactsError';
    this.code = code;
  }
}

/** Whether a document could not be read, whichever it was. */
export function isUnreadable(error: unknown): error is HypervisorFactsError {
  return error instanceof HypervisorFactsError;
}
