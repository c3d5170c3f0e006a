import type { JsonValue } from '@smalt/json';

/** A JSON object that is still being made. */
export interface MutableObject {
  [name: string]: JsonValue;
}

export function isScalar(value: JsonValue | undefined): value is boolean | number | bigint | string {
  return value !== null && value !== undefined && typeof value !== 'object';
}

/** Whether an object has no fields; cheaper than counting them. */
export function isEmptyObject(object: object): boolean {
  for (const _name in object) return false;
  return true;
}
