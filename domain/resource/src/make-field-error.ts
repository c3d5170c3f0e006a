import type { JsonValue } from '@smalt/json';

import type { FieldError } from './field-error.ts';
import { goQuote } from './go-text.ts';

/** A value that has to be there is not. */
export function required(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, badValue: '', detail };
}

/** A value is malformed or out of bounds. */
export function invalid(field: string, badValue: JsonValue | undefined, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, badValue, detail };
}

/** A value is not one of those that are known. */
export function notSupported(field: string, badValue: JsonValue | undefined, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  return { reason: 'FieldValueNotSupported', field, badValue, detail };
}

/** A value stands twice where it may stand once. */
export function duplicate(field: string, badValue: JsonValue | undefined): FieldError {
  return { reason: 'FieldValueDuplicate', field, badValue, detail: '' };
}

/** A value is well-formed and yet not allowed here. */
export function forbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, badValue: '', detail };
}

/** A value points to something that does not exist. */
export function notFound(field: string, badValue: JsonValue | undefined): FieldError {
  return { reason: 'FieldValueNotFound', field, badValue, detail: '' };
}

/** A text is longer than so many bytes; the text itself is not repeated. */
export function tooLong(field: string, maxBytes: number): FieldError {
  const detail = maxBytes < 0 ? 'value is too long' : `may not be more than ${maxBytes} ${plural(maxBytes, 'byte')}`;
  return { reason: 'FieldValueTooLong', field, badValue: '<value omitted>', detail };
}

/** A list has more items than it may have. A negative count is not shown. */
export function tooMany(field: string, actual: number, max: number): FieldError {
  const detail = max < 0 ? 'has too many items' : `must have at most ${max} ${plural(max, 'item')}`;
  return { reason: 'FieldValueTooMany', field, badValue: actual < 0 ? undefined : actual, detail };
}

/** A value is of another type than the schema says. */
export function typeInvalid(field: string, badValue: JsonValue | undefined, detail: string): FieldError {
  return { reason: 'FieldValueTypeInvalid', field, badValue, detail };
}

/** The server itself failed while it looked at a field. */
export function internalError(field: string, detail: string): FieldError {
  return { reason: 'InternalError', field, detail };
}

function plural(count: number, word: string): string {
  return count === 1 ? word : `${word}s`;
}
