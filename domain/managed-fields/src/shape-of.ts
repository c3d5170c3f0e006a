import { isJsonArray, isJsonObject, type JsonValue } from '@smalt/json';

import type { FieldType } from './field-type.ts';
import { isScalar } from './json-kind.ts';

export type Shape = 'map' | 'scalar' | 'list';

/** Which of the shapes that a type allows a value is taken for. A value that fits none is taken for the first. */
export function shapeOf(type: FieldType, value: JsonValue | undefined): Shape {
  if (type.scalar !== undefined && isScalar(value)) return 'scalar';
  if (type.list !== undefined && isJsonArray(value)) return 'list';
  if (type.map !== undefined) return 'map';
  return type.scalar === undefined ? 'list' : 'scalar';
}

/** The map in a value; undefined when there is none, null or something else. */
export function mapIn(value: JsonValue | undefined): Readonly<Record<string, JsonValue>> | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** The list in a value; undefined when there is none, null or something else. */
export function listIn(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  return isJsonArray(value) ? value : undefined;
}
