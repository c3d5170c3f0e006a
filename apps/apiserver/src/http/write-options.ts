import { notSupported, validateFieldManager, type FieldError } from '@smalt/resource';

import { invalidError } from '../errors/make-status-error.ts';

/** What the query of a write says of how it is to be done. */
export interface WriteOptions {
  readonly isDryRun: boolean;
  /** The name that the written fields are recorded under. */
  readonly fieldManager: string;
  readonly fieldValidation: 'Strict' | 'Warn' | 'Ignore';
}

const MAX_MANAGER_LENGTH = 128;
const UNPRINTABLE = /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u;

/** Reads dryRun, fieldManager and fieldValidation. Throws 422 when one of them says what is not known. */
export function parseWriteOptions(query: URLSearchParams, userAgent: string | undefined, kind: string): WriteOptions {
  const fieldManager = query.get('fieldManager') ?? '';
  const fieldValidation = query.get('fieldValidation') ?? '';
  const dryRun = query.getAll('dryRun').filter((value) => value !== '');
  const errors = [
    ...validateFieldManager(fieldManager, 'fieldManager'),
    ...dryRunErrors(dryRun),
    ...fieldValidationErrors(fieldValidation),
  ];
  if (errors.length > 0) throw invalidError({ group: 'meta.k8s.io', kind }, '', errors);
  return {
    isDryRun: dryRun.length > 0,
    fieldManager: fieldManager === '' ? prefixOf(userAgent ?? '') : fieldManager,
    fieldValidation: isFieldValidation(fieldValidation) ? fieldValidation : 'Warn',
  };
}

function isFieldValidation(value: string): value is WriteOptions['fieldValidation'] {
  return value === 'Strict' || value === 'Warn' || value === 'Ignore';
}

// A client that gives no name is known by its user agent up to the first slash.
function prefixOf(userAgent: string): string {
  const name = (userAgent.split('/')[0] ?? '').replaceAll(new RegExp(UNPRINTABLE, 'gu'), '');
  return name.slice(0, MAX_MANAGER_LENGTH);
}

/** The errors of a dry run that asks for anything but `All`. */
export function dryRunErrors(dryRun: readonly string[]): readonly FieldError[] {
  return dryRun.every((value) => value === 'All') ? [] : [notSupported('dryRun', [...dryRun], ['All'])];
}

function fieldValidationErrors(value: string): readonly FieldError[] {
  if (value === '' || isFieldValidation(value)) return [];
  return [notSupported('fieldValidation', value, ['', 'Ignore', 'Strict', 'Warn'])];
}
