import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { duplicate, goJson, invalid, type FieldError, type Schema } from '@smalt/resource';

import { compileVisit, type Visit } from './compile-visit.ts';

/** Checks that the items of sets differ, and those of list-maps in their keys; nothing when there are no such lists. */
export function compileListTypeCheck(schema: Schema): Visit | undefined {
  return compileVisit(schema, (part) => {
    const type = part['x-kubernetes-list-type'];
    if (type === 'set') return checkSet;
    const keys = part['x-kubernetes-list-map-keys'] ?? [];
    return type === 'map' ? (value, path, errors) => checkMap(value, keys, { path, errors }) : undefined;
  });
}

function checkSet(value: JsonValue, path: string, errors: FieldError[]): void {
  if (!Array.isArray(value)) return;
  const list: readonly JsonValue[] = value;
  for (const index of findRepeated(list)) errors.push(duplicate(`${path}[${index}]`, list[index]));
}

interface Report {
  readonly path: string;
  readonly errors: FieldError[];
}

function checkMap(value: JsonValue, keys: readonly string[], { path, errors }: Report): void {
  if (!Array.isArray(value)) return;
  const list: readonly JsonValue[] = value;
  const stranger = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger >= 0) {
    const detail = 'must be an object for an array of list-type map';
    errors.push(invalid(`${path}[${stranger}]`, list[stranger], detail));
    return;
  }
  if (list.length < 2) return;
  const texts = list.map((item) => keyText(item, keys));
  for (const index of findRepeated(texts)) {
    errors.push(duplicate(`${path}[${index}]`, keysOf(list[index] ?? null, keys)));
  }
}

function keyText(item: JsonValue, keys: readonly string[]): string {
  let text = '';
  if (!isJsonObject(item)) return text;
  for (const key of keys) {
    const part = Object.hasOwn(item, key) ? (item[key] ?? null) : undefined;
    const shown = typeof part === 'object' && part !== null ? goJson(part) : String(part);
    text += `${typeof part}:${shown}\u0000`;
  }
  return text;
}

function keysOf(item: JsonValue, keys: readonly string[]): JsonObject {
  const found: Record<string, JsonValue> = {};
  if (!isJsonObject(item)) return found;
  for (const key of keys) if (Object.hasOwn(item, key)) found[key] = item[key] ?? null;
  return found;
}

// The place of the second of each value that stands more than once; a third is not told again.
function findRepeated(list: readonly JsonValue[]): readonly number[] {
  const times = new Map<JsonValue, number>();
  const repeated: number[] = [];
  for (const [index, item] of list.entries()) {
    const key = typeof item === 'object' && item !== null ? `json:${goJson(item)}` : scalarKey(item);
    const seen = times.get(key) ?? 0;
    if (seen === 1) repeated.push(index);
    times.set(key, seen + 1);
  }
  return repeated;
}

function scalarKey(item: JsonValue): JsonValue {
  return typeof item === 'string' ? `text:${item}` : item;
}
