import { goQuote, invalid, tooLong, typeInvalid, type Schema } from '@smalt/resource';

import { compilePattern } from './compile-pattern.ts';
import { findFormat } from './text-formats.ts';
import type { Check } from './validation-run.ts';

/** Checks the length of a text, and that it matches the pattern. Lengths count characters, not bytes. */
export function compileTextCheck(schema: Schema): Check<string> | undefined {
  const { maxLength, minLength, pattern } = schema;
  const matches = pattern === undefined || pattern === '' ? undefined : compilePattern(pattern);
  if (maxLength === undefined && minLength === undefined && matches === undefined) return undefined;

  return (value, run) => {
    // A text never has more characters than code units, so most lengths need no counting.
    if (maxLength !== undefined && value.length > maxLength && countCharacters(value) > maxLength) {
      run.report(`${run.path()} in body should be at most ${maxLength} chars long`, tooLong(run.field(), maxLength));
    } else if (minLength !== undefined && (value.length < minLength || countCharacters(value) < minLength)) {
      const text = `${run.path()} in body should be at least ${minLength} chars long`;
      run.report(text, invalid(run.field(), value, text));
    } else if (matches !== undefined && !matches(value)) {
      const text = `${run.path()} in body should match '${pattern}'`;
      run.report(text, invalid(run.field(), value, text));
    }
    return 0;
  };
}

/** Checks a text against a format such as `date-time`; nothing when the format is not one of texts. */
export function compileFormatCheck(format: string | undefined): Check<string> | undefined {
  const accepts = format === undefined ? undefined : findFormat(format);
  if (accepts === undefined) return undefined;
  return (value, run) => {
    if (accepts(value)) return 0;
    const text = `${run.path()} in body must be of type ${format}: ${goQuote(value)}`;
    run.report(text, typeInvalid(run.field(), value, text));
    return 0;
  };
}

function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff) index++;
    count++;
  }
  return count;
}
