import type { JsonObject, JsonValue } from '@smalt/json';
import { invalid, required, tooMany, type Schema } from '@smalt/resource';

import { childPath } from './field-path.ts';
import type { Check, ValidationRun } from './validation-run.ts';

type Compile = (schema: Schema) => Check<JsonValue>;

/** Checks the fields of an object, that none is missing, and how many there are. */
export function compileObjectCheck(schema: Schema, compile: Compile): Check<JsonObject> {
  const checks = new Map<string, Check<JsonValue>>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) checks.set(name, compile(property));
  const other = compileOther(schema, compile);
  const needed = schema.required ?? [];

  return (object, run) => {
    if (schema.minProperties !== undefined || schema.maxProperties !== undefined) checkSize(object, schema, run);
    let count = 0;
    for (const name in object) {
      const check = checks.get(name) ?? other;
      if (check !== undefined) count += run.descend(name, object[name] ?? null, check);
    }
    for (const name of needed) if (!Object.hasOwn(object, name)) reportMissing(name, run);
    return count;
  };
}

function compileOther(schema: Schema, compile: Compile): Check<JsonValue> | undefined {
  const { additionalProperties } = schema;
  if (additionalProperties === false) return forbidProperty;
  return typeof additionalProperties === 'object' ? compile(additionalProperties) : undefined;
}

function forbidProperty(_value: JsonValue, run: ValidationRun): number {
  const path = run.path();
  const text = `${path} in body is a forbidden property`;
  run.report(text, invalid(run.parentField(), run.lastName(), text));
  return 0;
}

function checkSize(object: JsonObject, { minProperties, maxProperties }: Schema, run: ValidationRun): void {
  const size = Object.keys(object).length;
  if (minProperties !== undefined && size < minProperties) {
    const text = `${run.path()} in body should have at least ${minProperties} properties`;
    run.report(text, invalid(run.field(), size, text));
  }
  if (maxProperties !== undefined && size > maxProperties) {
    const text = `${run.path()} in body should have at most ${maxProperties} properties`;
    run.report(text, tooMany(run.field(), size, maxProperties));
  }
}

function reportMissing(name: string, run: ValidationRun): void {
  const path = childPath(run.path(), name);
  const parent = run.field();
  const field = parent === '<nil>' ? name : `${parent}.${name}`;
  run.report(`${path} in body is required`, required(field));
}
