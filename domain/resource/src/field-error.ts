import type { JsonValue } from '@smalt/json';

/** What is wrong with one field of an object. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** The path as people write it: `spec.disks[0].name`, `metadata.labels[app]`. */
  readonly field: string;
  /** What stood there; without one, the text shows no value. */
  readonly badValue?: JsonValue | undefined;
  /** How the value is shown, where that is not as JSON with its names in order. */
  readonly shownValue?: string;
  readonly detail: string;
}

/** The reasons as they stand in the causes of a Status. */
export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong'
  | 'FieldValueTooShort'
  | 'FieldValueTooMany'
  | 'FieldValueTooFew'
  | 'FieldValueTypeInvalid'
  | 'InternalError';
