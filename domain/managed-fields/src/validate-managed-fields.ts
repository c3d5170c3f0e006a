import type { JsonObject } from '@smalt/json';

import { ManagedFieldsError } from './managed-fields-error.ts';
import { parseManagers } from './managers.ts';
import { managedFieldsOf } from './object-metadata.ts';

/** What is wrong with an object's managed fields; undefined when nothing is. For objects that a webhook has changed. */
export function validateManagedFields(object: JsonObject): string | undefined {
  try {
    parseManagers(managedFieldsOf(object));
    return undefined;
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    return error.message;
  }
}
