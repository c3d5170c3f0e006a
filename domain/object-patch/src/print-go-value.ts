import type { JsonValue } from '@smalt/json';

/** Writes a value as messages of Kubernetes show it: `map[name:a ports:[1 2]]`. */
export function printGoValue(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (typeof value !== 'object') return String(value);
  if (isList(value)) return `[${value.map(printGoValue).join(' ')}]`;
  const fields = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `map[${fields.map(([name, field]) => `${name}:${printGoValue(field)}`).join(' ')}]`;
}

// Array.isArray does not narrow a readonly array out of a union.
function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
