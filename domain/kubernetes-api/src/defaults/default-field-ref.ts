import type { JsonObject } from '@smalt/json';

import { fillIn } from '../edit-object.ts';

/** Fills in a reference to a field of the pod itself. */
export function defaultFieldRef(reference: JsonObject): JsonObject {
  return fillIn(reference, { apiVersion: 'v1' });
}
