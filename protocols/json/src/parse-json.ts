import { JsonError } from './json-error.ts';
import type { JsonValue } from './json-value.ts';

const LONG_NUMBER = /\d{16}/;
const INTEGER = /^-?\d+$/;

/**
 * Reads JSON text. An integer that a number cannot hold exactly becomes a bigint. The name `__proto__` is refused:
 * to an object in this language it means something else than a field.
 */
export function parseJson(text: string): JsonValue {
  // A name can be written with escapes, so a backslash before a `u` is reason enough to look closer.
  const isPlain = !LONG_NUMBER.test(text) && !text.includes('__proto__') && !text.includes('\\u');
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what JSON.parse returns is what this type says
    return (isPlain ? JSON.parse(text) : JSON.parse(text, reviveExactly)) as JsonValue;
  } catch (error) {
    if (error instanceof JsonError) throw error;
    throw new JsonError('malformed', error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function reviveExactly(name: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (name === '__proto__') throw new JsonError('forbidden-name', 'the field name "__proto__" is not allowed');
  const source = context?.source;
  if (typeof value !== 'number' || Number.isSafeInteger(value) || source === undefined) return value;
  return INTEGER.test(source) ? BigInt(source) : value;
}
