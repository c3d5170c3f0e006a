import type { JsonObject } from '@smalt/json';

import { objectAt, textAt } from './object-fields.ts';

/** The part of the store that credentials are checked against: the objects they speak of have to exist still. */
export interface LiveObjects {
  /** `resource` is such as `pods`, `key` is `namespace/name`. */
  get(resource: string, key: string): { readonly value: JsonObject } | undefined;
}

export interface LiveObject {
  readonly name: string;
  readonly uid: string;
  /** Milliseconds since 1970; undefined while the object is not being deleted. */
  readonly deletedAt?: number;
  readonly value: JsonObject;
}

/** Looks an object up and reads of it what matters to credentials. */
export function findLive(
  objects: LiveObjects,
  resource: string,
  place: { readonly namespace: string; readonly name: string },
): LiveObject | undefined {
  const value = objects.get(resource, `${place.namespace}/${place.name}`)?.value;
  if (value === undefined) return undefined;
  const metadata = objectAt(value, 'metadata');
  const deletion = textAt(metadata, 'deletionTimestamp');
  return {
    name: place.name,
    uid: textAt(metadata, 'uid'),
    value,
    ...(deletion === '' ? {} : { deletedAt: Date.parse(deletion) }),
  };
}
