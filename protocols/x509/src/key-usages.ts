/** What a certificate may be used for. */
export interface KeyUsages {
  /** Numbers of bits of the key usage extension, ascending. */
  readonly bits: readonly number[];
  /** Object identifiers of the extended key usage extension. */
  readonly identifiers: readonly string[];
}
