import type { JsonValue } from '@smalt/json';
import type { StatusCause } from '@smalt/kubernetes';

import type { FieldError, FieldErrorReason } from './field-error.ts';
import { goJson, goNumber, goQuote } from './go-text.ts';

const TITLES: Readonly<Record<FieldErrorReason, string>> = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
  FieldValueNotFound: 'Not found',
  FieldValueTooLong: 'Too long',
  FieldValueTooShort: 'Too short',
  FieldValueTooMany: 'Too many',
  FieldValueTooFew: 'Too few',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

const WITHOUT_VALUE: ReadonlySet<FieldErrorReason> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooShort',
  'InternalError',
]);

/** The error as one line: `spec.cpus: Invalid value: 0: must be positive`. */
export function formatFieldError(error: FieldError): string {
  return `${error.field}: ${formatFieldErrorBody(error)}`;
}

/** The same line without the field, as it stands in the causes of a Status. */
export function formatFieldErrorBody(error: FieldError): string {
  let body = TITLES[error.reason];
  if (error.badValue !== undefined && !WITHOUT_VALUE.has(error.reason)) {
    body += `: ${error.shownValue ?? formatBadValue(error.badValue)}`;
  }
  return error.detail === '' ? body : `${body}: ${error.detail}`;
}

/**
 * The message of the Status for an object that is not valid: `Eviction.kvm.cloud.sap "x" is invalid: [a, b]`, with
 * brackets only around several. An error that stands there twice is shown once.
 */
export function invalidMessage(
  groupKind: { readonly group: string; readonly kind: string },
  name: string,
  errors: readonly FieldError[],
): string {
  const title = groupKind.group === '' ? groupKind.kind : `${groupKind.kind}.${groupKind.group}`;
  const lines = [...new Set(errors.map(formatFieldError))];
  const start = `${title} ${goQuote(name)} is invalid`;
  if (lines.length === 0) return start;
  return lines.length === 1 ? `${start}: ${lines[0]}` : `${start}: [${lines.join(', ')}]`;
}

/** The causes of the Status for an object that is not valid, one for each error. */
export function invalidCauses(errors: readonly FieldError[]): readonly StatusCause[] {
  return errors.map((error) => ({
    reason: error.reason,
    message: formatFieldErrorBody(error),
    field: error.field,
  }));
}

function formatBadValue(value: JsonValue): string {
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value);
  return goJson(value);
}
