import type { JsonValue } from '@smalt/json';

/** A value without what means nothing: fields that are not set, and empty lists. An empty object means something: `rng`. */
export function bare(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(bare);
  if (typeof value !== 'object' || value === null) return isPlain(value) ? value : null;
  const fields = Object.entries(value).filter(
    ([, each]) => each !== undefined && each !== null && !(Array.isArray(each) && each.length === 0),
  );
  return Object.fromEntries(fields.map(([key, each]) => [key, bare(each)]));
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
