/**
 * Why something was not accepted: a batch, an answer or the report settings are not as they have to be, or the batch is
 * of a version that is not known here.
 */
export type TelemetryErrorCode = 'invalid-batch' | 'invalid-answer' | 'invalid-settings' | 'unknown-version';

export interface TelemetryErrorOptions extends ErrorOptions {
  /** Where it is wrong, such as `records[3].domain.uuid`. */
  readonly field?: string | undefined;
  /** The number of the record that is wrong, if it is one record. */
  readonly sequence?: number | undefined;
}

export class TelemetryError extends Error {
  readonly code: TelemetryErrorCode;
  readonly field: string | undefined;
  readonly sequence: number | undefined;

  constructor(code: TelemetryErrorCode, message: string, options: TelemetryErrorOptions = {}) {
    super(message, options);
    this.name = 'TelemetryError';
    this.code = code;
    this.field = options.field;
    this.sequence = options.sequence;
  }
}

export function isTelemetryError(error: unknown, code?: TelemetryErrorCode): error is TelemetryError {
  return error instanceof TelemetryError && (code === undefined || error.code === code);
}
