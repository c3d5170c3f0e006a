import type { JsonValue } from '@smalt/json';
import { goQuote, typeInvalid, type Schema } from '@smalt/resource';

import { jsonKind, type JsonKind } from './json-kind.ts';
import type { Check, ValidationRun } from './validation-run.ts';

/** The types a schema allows: its own, or both of those behind `x-kubernetes-int-or-string`; none allow all. */
export function allowedTypes(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined ? [] : [schema.type];
}

/** Checks that a value is of the type its schema asks for. */
export function compileTypeCheck(schema: Schema, format: string | undefined): Check<JsonValue> {
  const types = allowedTypes(schema);
  const shownTypes = types.join(',');
  const isNumeric = types.includes('number') || types.includes('integer');
  const isNullable = schema.nullable === true || types.length === 0;

  return (value, run) => {
    const kind = jsonKind(value);
    if (types.includes(kind) || (kind === 'integer' && types.includes('number'))) return 1;
    if (kind === 'null') return isNullable ? 1 : wrongType(run, shownTypes, 'null');
    if (format !== undefined) {
      // Kubernetes leaves a text or a list to the check of the format, even where the type is something else.
      const isTextOrList = kind === 'string' || kind === 'array';
      if (!isTextOrList) return wrongType(run, format, formatOfKind(kind));
      if (!isNumeric) return 1;
    }
    return types.length === 0 ? 1 : wrongType(run, shownTypes, kind);
  };
}

function wrongType(run: ValidationRun, expected: string, actual: string): number {
  const text = `${run.path()} in body must be of type ${expected}: ${goQuote(actual)}`;
  run.report(text, typeInvalid(run.field(), actual, text));
  return 0;
}

function formatOfKind(kind: JsonKind): string {
  if (kind === 'integer') return 'int64';
  return kind === 'number' ? 'float64' : '';
}
