import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';

/** Returns the value with what was missing filled in, or the value itself when nothing was. */
export type Fill = (value: JsonValue) => JsonValue;

interface Child {
  readonly fill: Fill;
  readonly isNullable: boolean;
  /** What stands for a missing value, itself with all its defaults; nothing when there is no default. */
  readonly filledDefault: JsonValue | undefined;
}

/**
 * Makes one function that fills in defaults. A null that the schema does not allow is replaced by the default, and
 * dropped where there is none.
 */
export function compileFill(schema: Schema): Fill {
  const fillFields = compileFields(schema);
  const item = schema.items === undefined ? undefined : compileChild(schema.items);
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    if (isJsonObject(value)) return fillFields(value);
    return item === undefined ? value : fillList(value, item);
  };
}

function compileChild(schema: Schema): Child {
  const fill = compileFill(schema);
  const filledDefault = schema.default === undefined || schema.default === null ? undefined : fill(schema.default);
  return { fill, isNullable: schema.nullable === true, filledDefault };
}

function compileFields(schema: Schema): (object: JsonObject) => JsonObject {
  const { additionalProperties } = schema;
  const children = new Map<string, Child>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) children.set(name, compileChild(property));
  const other = typeof additionalProperties === 'object' ? compileChild(additionalProperties) : undefined;
  const withDefaults = [...children].filter(([, child]) => child.filledDefault !== undefined);

  return (object) => {
    let changed: Record<string, JsonValue> | undefined;
    for (const name in object) {
      const value = object[name] ?? null;
      if (typeof value !== 'object') continue;
      const child = children.get(name) ?? other;
      const filled = child === undefined ? value : fillField(value, child);
      if (filled === value) continue;
      changed ??= { ...object };
      if (filled === undefined) delete changed[name];
      else changed[name] = filled;
    }
    for (const [name, { filledDefault }] of withDefaults) {
      if (filledDefault === undefined || Object.hasOwn(object, name)) continue;
      changed ??= { ...object };
      changed[name] = filledDefault;
    }
    return changed ?? object;
  };
}

function fillField(value: JsonValue, child: Child): JsonValue | undefined {
  if (value !== null) return child.fill(value);
  return child.isNullable ? null : child.filledDefault;
}

function fillList(list: readonly JsonValue[], item: Child): readonly JsonValue[] {
  let changed: JsonValue[] | undefined;
  for (let index = 0; index < list.length; index++) {
    const value = list[index] ?? null;
    if (typeof value !== 'object') continue;
    // A null in a list has nowhere to go: it stays for the validation to find.
    const filled = fillField(value, item) ?? null;
    if (filled === value) continue;
    changed ??= [...list];
    changed[index] = filled;
  }
  return changed ?? list;
}
