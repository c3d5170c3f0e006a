import type { JsonObject } from '@smalt/json';
import type { GroupVersionKind } from '@smalt/resource';

import { findMessageType } from './catalog.ts';
import { isWrongType } from './kubernetes-api-error.ts';
import { readObject } from './read-object.ts';

/**
 * The text of the 400 that Kubernetes answers with when a value has another type than its field, such as
 * `Deployment in version "v1" cannot be handled as a Deployment: json: cannot unmarshal …`; undefined when all is well.
 */
export function checkTypes(object: JsonObject, { group, version, kind }: GroupVersionKind): string | undefined {
  const type = findMessageType(group === '' ? version : `${group}/${version}`, kind);
  if (type === undefined) return undefined;
  try {
    readObject(object, type);
    return undefined;
  } catch (error) {
    if (!isWrongType(error) || !(error instanceof Error)) throw error;
    return `${kind} in version "${version}" cannot be handled as a ${kind}: ${error.message}`;
  }
}
