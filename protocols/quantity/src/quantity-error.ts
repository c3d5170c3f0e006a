/** Why text is not a quantity, its shape, its number or its suffix, or why a sum is none: its parts are too far apart. */
export type QuantityErrorCode = 'format' | 'number' | 'suffix' | 'range';

export class QuantityError extends Error {
  readonly code: QuantityErrorCode;

  constructor(code: QuantityErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'QuantityError';
    this.code = code;
  }
}
