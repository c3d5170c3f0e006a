import { isJsonObject, type JsonValue } from '@smalt/json';

import { CelError } from './cel-error.ts';
import type { CelType } from './cel-type.ts';
import { CelFailure, CelOptional, NONE, type CelOutcome, type CelValue } from './cel-value.ts';
import { JsonList, JsonMap } from './json-values.ts';

/** Makes a value of a type from JSON without copying it. Throws where the JSON does not fit the type. */
export function fromJson(json: JsonValue | undefined, type: CelType): CelValue {
  const value = convertJson(json, type);
  if (value instanceof CelFailure) throw new CelError('evaluate', value.message);
  return value;
}

/** Makes a value of a type from JSON without copying it. What does not fit becomes a failure. */
export function convertJson(json: JsonValue | undefined, type: CelType): CelOutcome {
  if (type.kind === 'optional') return json === undefined ? NONE : wrap(convertJson(json, type.value));
  return (type.convert ?? convertUntyped)(json ?? null);
}

function wrap(value: CelOutcome): CelOutcome {
  return value instanceof CelFailure ? value : new CelOptional(value);
}

// Without a schema, whole numbers are ints and objects are maps.
function convertUntyped(json: JsonValue): CelOutcome {
  if (typeof json === 'number') return Number.isInteger(json) ? BigInt(json) : json;
  if (isList(json)) return new JsonList(json, convertUntyped);
  return isJsonObject(json) ? new JsonMap(json, () => convertUntyped, false) : json;
}

function isList(json: JsonValue): json is readonly JsonValue[] {
  return Array.isArray(json);
}
