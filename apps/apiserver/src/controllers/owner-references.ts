import type { JsonObject } from '@smalt/json';

import { objectsAt, textAt } from '../identity/object-fields.ts';
import { metadataOf } from '../registry/object-metadata.ts';

/** What an object says about one that it belongs to. */
export interface OwnerReference {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly isBlocking: boolean;
}

/** Whom an object belongs to. */
export function ownersOf(object: JsonObject): readonly OwnerReference[] {
  const metadata = metadataOf(object);
  if (metadata['ownerReferences'] === undefined) return NONE;
  return objectsAt(metadata, 'ownerReferences').map((reference) => {
    const apiVersion = textAt(reference, 'apiVersion');
    const slash = apiVersion.indexOf('/');
    return {
      group: slash < 0 ? '' : apiVersion.slice(0, slash),
      version: apiVersion.slice(slash + 1),
      kind: textAt(reference, 'kind'),
      name: textAt(reference, 'name'),
      uid: textAt(reference, 'uid'),
      isBlocking: reference['blockOwnerDeletion'] === true,
    };
  });
}

/** The references of an object without those to some owners, as they stand in its metadata. */
export function referencesWithout(object: JsonObject, uids: ReadonlySet<string>): readonly JsonObject[] {
  return objectsAt(metadataOf(object), 'ownerReferences').filter((reference) => !uids.has(textAt(reference, 'uid')));
}

const NONE: readonly OwnerReference[] = [];
