import type { JsonObject, JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';

import { compileAlternatives } from './check-alternatives.ts';
import { compileEnumCheck } from './check-enum.ts';
import { compileListCheck } from './check-list.ts';
import { compileNumberCheck } from './check-number.ts';
import { compileObjectCheck } from './check-object.ts';
import { compileFormatCheck, compileTextCheck } from './check-text.ts';
import { compileTypeCheck } from './check-type.ts';
import { supportedFormat } from './supported-format.ts';
import type { Check, ValidationRun } from './validation-run.ts';

/** Makes one function of all that a schema says about values, but for its rules and what it says about lists. */
export function compileCheck(schema: Schema): Check<JsonValue> {
  const format = supportedFormat(schema);
  const isTyped = schema.type !== undefined || schema['x-kubernetes-int-or-string'] === true || format !== undefined;
  const checkType = compileTypeCheck(schema, format);
  const checkAlternatives = compileAlternatives(schema, compileCheck);
  const checkEnum = compileEnumCheck(schema);
  const checkContent = compileContentCheck(schema, format);

  return (value, run) => {
    if (value === null) return checkType(value, run) + (checkEnum?.(value, run) ?? 0);
    let count = isTyped ? checkType(value, run) + 1 : 0;
    count += (checkAlternatives === undefined ? 1 : checkAlternatives(value, run)) + 1;
    count += checkContent(value, run);
    if (checkEnum !== undefined) checkEnum(value, run);
    // The list of values and the schema itself count as one each.
    return count + 2;
  };
}

type ContentCheck = (value: Exclude<JsonValue, null>, run: ValidationRun) => number;

// Each kind of value has its own checks, and each that applies counts as one.
function compileContentCheck(schema: Schema, format: string | undefined): ContentCheck {
  const checkText = compileTextCheck(schema);
  const checkFormat = compileFormatCheck(format);
  const checkNumber = compileNumberCheck(schema, format);
  const checkList = compileListCheck(schema, compileCheck);
  const checkObject = compileObjectCheck(schema, compileCheck);
  const textCount = checkFormat === undefined ? 1 : 2;

  return (value, run) => {
    if (typeof value === 'string') {
      if (checkText !== undefined) checkText(value, run);
      if (checkFormat !== undefined) checkFormat(value, run);
      return textCount;
    }
    if (typeof value === 'number' || typeof value === 'bigint') return checkNumber(value, run) + 1;
    if (typeof value === 'boolean') return 0;
    if (isList(value)) return checkList(value, run) + 1;
    return checkObject(value, run) + 1;
  };
}

function isList(value: readonly JsonValue[] | JsonObject): value is readonly JsonValue[] {
  return Array.isArray(value);
}
