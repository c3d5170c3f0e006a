import { isSameJson, type JsonValue } from '@smalt/json';
import { goJson, notSupported, type Schema } from '@smalt/resource';

import type { Check } from './validation-run.ts';

/** Checks that a value is one of those that are listed. */
export function compileEnumCheck(schema: Schema): Check<JsonValue> | undefined {
  const values = schema.enum ?? [];
  if (values.length === 0) return undefined;
  // Kubernetes never takes null for one of the values, even where it is listed.
  const known = new Set<JsonValue>(values.filter((value) => value !== null));
  const compounds = values.filter((value) => typeof value === 'object' && value !== null);
  const shown = values.map((value) => (typeof value === 'string' ? value : goJson(value)));

  return (value, run) => {
    if (known.has(value)) return 0;
    if (compounds.some((compound) => isSameJson(compound, value))) return 0;
    const text = `${run.path()} in body should be one of [${shown.join(' ')}]`;
    run.report(text, notSupported(run.field(), value, shown));
    return 0;
  };
}
