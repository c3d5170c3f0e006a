import type { JsonValue } from '@smalt/json';

/** What is wrong with one field of an object. */
export interface FieldError {
  readonly reason: FieldErrorReason;
  /** The path as people write it: `spec.disks[0].name`, `metadata.labels[app]`. */
  readonly field: string;
  readonly badValue?: JsonValue | undefined;
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
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';
