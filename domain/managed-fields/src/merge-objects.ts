import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

import type { FieldType, ListType, MapType } from './field-type.ts';
import { isEmptyObject, type MutableObject } from './json-kind.ts';
import { mergeLists } from './merge-lists.ts';
import { listIn, mapIn, shapeOf } from './shape-of.ts';

/** Puts what is applied over what is live: nothing is removed, and where both have a leaf the applied one wins. */
export function mergeObjects(live: JsonObject, applied: JsonObject, type: FieldType): JsonObject {
  const merged = mergeValues(live, applied, type);
  return isJsonObject(merged) ? merged : {};
}

/** Undefined when nothing is left to store. */
function mergeValues(live: JsonValue, applied: JsonValue, type: FieldType): JsonValue | undefined {
  if (live === applied) return live;
  switch (shapeOf(type, applied)) {
    case 'scalar':
      return applied;
    case 'list':
      return type.list === undefined ? applied : mergeListValues(live, applied, type.list);
    case 'map':
      return type.map === undefined ? applied : mergeMapValues(live, applied, type.map);
  }
}

function mergeListValues(live: JsonValue, applied: JsonValue, type: ListType): JsonValue | undefined {
  const before = listIn(live) ?? [];
  const after = listIn(applied) ?? [];
  if (type.isAtomic || (before.length === 0 && after.length === 0)) return applied;
  const merged = mergeLists(before, after, type, (left, right) => mergeValues(left, right, type.item));
  return merged.length > 0 ? merged : undefined;
}

function mergeMapValues(live: JsonValue, applied: JsonValue, type: MapType): JsonValue | undefined {
  const before = mapIn(live) ?? {};
  const after = mapIn(applied) ?? {};
  if (type.isAtomic || (isEmptyObject(before) && isEmptyObject(after))) return applied;
  let result: MutableObject | undefined;
  for (const name in after) {
    const value = after[name] ?? null;
    const current = Object.hasOwn(before, name) ? before[name] : undefined;
    const field = type.field(name);
    const merged = current === undefined || field === undefined ? value : mergeValues(current, value, field);
    if (merged === current) continue;
    result ??= { ...before };
    if (merged === undefined) delete result[name];
    else result[name] = merged;
  }
  return result === undefined ? before : isEmptyObject(result) ? undefined : result;
}
