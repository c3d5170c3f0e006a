import type { JsonValue } from '@smalt/json';
import { invalid, tooMany, type Schema } from '@smalt/resource';

import type { Check } from './validation-run.ts';

/** Checks the items of a list and how many there are. */
export function compileListCheck(
  schema: Schema,
  compile: (schema: Schema) => Check<JsonValue>,
): Check<readonly JsonValue[]> {
  const { minItems, maxItems } = schema;
  const item = schema.items === undefined ? undefined : compile(schema.items);
  return (list, run) => {
    let count = 1;
    if (item !== undefined) {
      for (let index = 0; index < list.length; index++) count += run.descend(index, list[index] ?? null, item);
    }
    if (minItems !== undefined && list.length < minItems) {
      const text = `${run.path()} in body should have at least ${minItems} items`;
      run.report(text, invalid(run.field(), list.length, text));
    }
    if (maxItems !== undefined && list.length > maxItems) {
      const text = `${run.path()} in body should have at most ${maxItems} items`;
      run.report(text, tooMany(run.field(), list.length, maxItems));
    }
    return count;
  };
}
