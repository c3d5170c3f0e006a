import { isJsonObject, type JsonValue } from '@smalt/json';
import type { FieldError, Schema } from '@smalt/resource';

import { childPath } from './field-path.ts';

/** Looks at a value and adds what is wrong with it. */
export type Visit = (value: JsonValue, path: string, errors: FieldError[]) => void;

/**
 * Makes one function that visits every value whose schema has something to say. Parts of a schema without any are not
 * entered at all, so that an object costs only as much as there is to look at; nothing when there is nothing.
 */
export function compileVisit(schema: Schema, own: (schema: Schema) => Visit | undefined): Visit | undefined {
  const visitSelf = own(schema);
  const visitItem = schema.items === undefined ? undefined : compileVisit(schema.items, own);
  const visitFields = compileFields(schema, own);
  if (visitSelf === undefined && visitItem === undefined && visitFields === undefined) return undefined;

  return (value, path, errors) => {
    if (typeof value !== 'object' || value === null) return;
    if (visitSelf !== undefined) visitSelf(value, path, errors);
    if (isJsonObject(value)) visitFields?.(value, path, errors);
    else if (visitItem !== undefined) {
      for (let index = 0; index < value.length; index++) visitItem(value[index] ?? null, `${path}[${index}]`, errors);
    }
  };
}

function compileFields(schema: Schema, own: (schema: Schema) => Visit | undefined): Visit | undefined {
  const visits = new Map<string, Visit>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const visit = compileVisit(property, own);
    if (visit !== undefined) visits.set(name, visit);
  }
  const { additionalProperties } = schema;
  const other = typeof additionalProperties === 'object' ? compileVisit(additionalProperties, own) : undefined;
  if (visits.size === 0 && other === undefined) return undefined;

  return (value, path, errors) => {
    if (!isJsonObject(value)) return;
    for (const name in value) {
      const visit = visits.get(name);
      if (visit !== undefined) visit(value[name] ?? null, childPath(path, name), errors);
      else if (other !== undefined) other(value[name] ?? null, `${path}[${name}]`, errors);
    }
  };
}
