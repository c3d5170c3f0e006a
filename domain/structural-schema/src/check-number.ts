import { goNumber, invalid, type FieldError, type Schema } from '@smalt/resource';

import { allowedTypes } from './check-type.ts';
import { jsonKind } from './json-kind.ts';
import type { Check, ValidationRun } from './validation-run.ts';

type Range = (value: number | bigint) => boolean;

interface NumberRules {
  readonly fits: Range;
  /** How a number that does not fit is described, such as `integer with format int32`. */
  readonly shownType: string;
}

/** Checks the range of a number and that it is a multiple of what it should be one of. */
export function compileNumberCheck(schema: Schema, format: string | undefined): Check<number | bigint> {
  const rules = numberRules(schema, format);
  const { multipleOf, minimum, maximum } = schema;
  return (value, run) => {
    reportRange(value, 'Checked', rules, run);
    if (multipleOf !== undefined) checkMultiple(value, multipleOf, rules, run);
    if (minimum !== undefined) checkBound(value, { bound: minimum, isUpper: false, schema }, rules, run);
    if (maximum !== undefined) checkBound(value, { bound: maximum, isUpper: true, schema }, rules, run);
    return 1;
  };
}

function numberRules(schema: Schema, format: string | undefined): NumberRules {
  const types = allowedTypes(schema);
  const [type] = types;
  if (types.length !== 1 || (type !== 'integer' && type !== 'number')) return { fits: () => true, shownType: '' };
  const shownType = format === undefined ? `${type} (default format)` : `${type} with format ${format}`;
  if (type === 'integer') return { fits: format === 'int32' ? fitsInt32 : fitsInt64, shownType };
  return { fits: format === 'float' ? fitsFloat32 : () => true, shownType };
}

function fitsInt32(value: number | bigint): boolean {
  return Number.isInteger(Number(value)) && value >= -(2 ** 31) && value < 2 ** 31;
}

function fitsInt64(value: number | bigint): boolean {
  if (typeof value === 'bigint') return jsonKind(value) === 'integer';
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63;
}

function fitsFloat32(value: number | bigint): boolean {
  return Number.isFinite(Math.fround(Number(value)));
}

function reportRange(value: number | bigint, what: string, rules: NumberRules, run: ValidationRun): boolean {
  if (rules.fits(value)) return true;
  const text = `${what} value must be of type ${rules.shownType} in ${run.path()}`;
  run.report(text, invalid(run.rootField(), '', text));
  return false;
}

interface Bound {
  readonly bound: number;
  readonly isUpper: boolean;
  readonly schema: Schema;
}

function checkBound(value: number | bigint, bound: Bound, rules: NumberRules, run: ValidationRun): void {
  const isExclusive = (bound.isUpper ? bound.schema.exclusiveMaximum : bound.schema.exclusiveMinimum) === true;
  const what = bound.isUpper ? 'Maximum boundary' : 'Minimum boundary';
  const isNative = reportRange(bound.bound, what, rules, run);
  // An integer is compared with the whole part of the bound, which is what Kubernetes shows, too.
  const limit = isNative && jsonKind(value) === 'integer' ? Math.trunc(bound.bound) : bound.bound;
  const isInside = bound.isUpper ? value < limit : value > limit;
  // oxlint-disable-next-line eqeqeq -- a bigint equals a number only this way
  if (isInside || (!isExclusive && value == limit)) return;
  const text = `${run.path()} in body should be ${boundWords(bound.isUpper, isExclusive)} ${goNumber(limit)}`;
  run.report(text, invalid(run.field(), value, text));
}

function boundWords(isUpper: boolean, isExclusive: boolean): string {
  const word = isUpper ? 'less than' : 'greater than';
  return isExclusive ? word : `${word} or equal to`;
}

function checkMultiple(value: number | bigint, factor: number, rules: NumberRules, run: ValidationRun): void {
  const isNative = reportRange(factor, 'MultipleOf', rules, run) && jsonKind(value) === 'integer';
  const used = isNative ? Math.trunc(factor) : factor;
  const error = used <= 0 ? notPositive(used, run) : notMultiple(value, used, run);
  if (error !== undefined) run.report(error.detail, error);
}

function notPositive(factor: number, run: ValidationRun): FieldError {
  const text = `factor MultipleOf declared for ${run.path()} must be positive: ${goNumber(factor)}`;
  return invalid(run.field(), factor, text);
}

function notMultiple(value: number | bigint, factor: number, run: ValidationRun): FieldError | undefined {
  if (typeof value === 'bigint' && Number.isInteger(factor)) {
    if (value % BigInt(factor) === 0n) return undefined;
  } else {
    const number = Number(value);
    if (isJsonInteger(factor < 1 ? (1 / factor) * number : number / factor)) return undefined;
  }
  return invalid(run.field(), value, `${run.path()} in body should be a multiple of ${goNumber(factor)}`);
}

// A quotient counts as whole when it is so close that the rest can only come from rounding.
function isJsonInteger(value: number): boolean {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return false;
  const difference = Math.abs(value - Math.trunc(value));
  return value === Math.trunc(value) || difference / (Math.abs(value) + Math.abs(Math.trunc(value))) < 1e-9;
}
