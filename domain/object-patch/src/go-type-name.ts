import type { JsonValue } from '@smalt/json';

/** The name that messages of Kubernetes give to the kind of a JSON value. */
export function goTypeName(value: JsonValue | undefined): 'null' | 'bool' | 'number' | 'string' | 'array' | 'object' {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  if (typeof value === 'string') return 'string';
  return Array.isArray(value) ? 'array' : 'object';
}

/** The Go type of a JSON value, as messages about a wrong one name it. */
export function goTypeText(value: JsonValue | undefined): string {
  const name = goTypeName(value);
  if (name === 'null') return '%!s(<nil>)';
  if (name === 'array') return '[]interface {}';
  if (name === 'object') return 'map[string]interface {}';
  if (name === 'number') return Number.isInteger(value) || typeof value === 'bigint' ? 'int64' : 'float64';
  return name;
}
