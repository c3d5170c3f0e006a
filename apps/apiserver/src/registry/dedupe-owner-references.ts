import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '@smalt/json';

import { metadataOf, withMetadata } from './object-metadata.ts';

const ADVICE =
  'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests';

/** The object without owner references that stand there twice, with a warning that names their uids. */
export function dedupeOwnerReferences(
  object: JsonObject,
  addWarning: (text: string) => void,
  isAfterAdmission: boolean,
): JsonObject {
  const references: JsonValue | undefined = metadataOf(object)['ownerReferences'];
  if (!Array.isArray(references) || references.length < 2) return object;
  const kept: JsonValue[] = [];
  const uids = new Set<string>();
  for (const reference of references as readonly JsonValue[]) {
    if (!kept.some((known) => isSameJson(known, reference))) kept.push(reference);
    else if (isJsonObject(reference)) uids.add(uidOf(reference));
  }
  if (uids.size === 0) return object;
  const list = [...uids].join(', ');
  const where = isAfterAdmission ? ' after mutating admission happens' : '';
  addWarning(
    `.metadata.ownerReferences contains duplicate entries${where}; ${ADVICE}; duplicate UID(s) observed: ${list}`,
  );
  return withMetadata(object, { ownerReferences: kept });
}

function uidOf(reference: JsonObject): string {
  const uid = reference['uid'];
  return typeof uid === 'string' ? uid : '';
}
