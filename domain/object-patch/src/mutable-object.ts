import type { JsonValue } from '@smalt/json';

/** A JSON object that is still being made. */
export interface MutableObject {
  [name: string]: JsonValue;
}
