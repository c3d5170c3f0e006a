import { isSameJson, type JsonValue } from '@smalt/json';

/** Whether the API would show both the same way: what is not set is not there. */
export function isSameStatus(left: object | null | undefined, right: object): boolean {
  return isSameJson(asShown(left ?? {}), asShown(right));
}

function asShown(value: object): JsonValue {
  return JSON.parse(JSON.stringify(value));
}
