import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import type { AdmissionReview } from '../registry/admission.ts';
import { inOrder } from '../registry/object-metadata.ts';

/** A write as webhooks and expressions see it, without the objects; `matched` is the version they asked for. */
export function admissionRequest(review: AdmissionReview, matched: Resource): JsonObject {
  const { resource, subresource, namespace, name, operation, user, dryRun, options } = review;
  return {
    kind: kindOf(matched, review),
    resource: resourceOf(matched),
    ...(subresource === '' ? {} : { subResource: subresource }),
    requestKind: kindOf(resource, review),
    requestResource: resourceOf(resource),
    ...(subresource === '' ? {} : { requestSubResource: subresource }),
    ...(name === '' ? {} : { name }),
    ...(namespace === '' ? {} : { namespace }),
    operation,
    userInfo: {
      username: user.name,
      ...(user.uid === undefined || user.uid === '' ? {} : { uid: user.uid }),
      groups: [...user.groups],
      ...(Object.keys(user.extra).length === 0 ? {} : { extra: extraOf(user.extra) }),
    },
    dryRun,
    options,
  };
}

/** The object of a write in the version that was asked for; null when there is none. */
export function versionedObject(object: JsonObject | undefined, matched: Resource, from: Resource): JsonObject | null {
  if (object === undefined) return null;
  return matched === from ? object : inOrder(matched, object);
}

function extraOf(extra: Readonly<Record<string, readonly string[]>>): JsonObject {
  return Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
}

function kindOf(resource: Resource, { subresource, object }: AdmissionReview): JsonObject {
  const { group, version, kind } = resource;
  const other = resource.otherSubresources.find(({ name }) => name === subresource);
  if (other !== undefined) return { group: other.group, version: other.version, kind: other.kind };
  if (subresource === 'scale' && object?.['kind'] === 'Scale')
    return { group: 'autoscaling', version: 'v1', kind: 'Scale' };
  return { group, version, kind };
}

function resourceOf({ group, version, plural }: Resource): JsonObject {
  return { group, version, resource: plural };
}
