import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { invalid, type FieldError } from '@smalt/resource';

import { badRequestError, invalidError } from '../errors/make-status-error.ts';
import { objectAt, textAt, textsAt } from '../identity/object-fields.ts';
import type { User } from '../identity/user.ts';
import { pathAttributes, resourceAttributes, type Attributes, type Authorizer } from './authorizer.ts';
import { validateSelectors } from './selector-attributes.ts';

const GROUP = 'authorization.k8s.io';

type AccessReviewKind = 'SubjectAccessReview' | 'SelfSubjectAccessReview' | 'LocalSubjectAccessReview';

/** Answers a SubjectAccessReview: whether someone may do something. */
export function reviewSubjectAccess(authorizer: Authorizer, review: JsonObject): JsonObject {
  const spec = objectAt(review, 'spec');
  refuse('SubjectAccessReview', [
    ...specErrors(spec),
    ...subjectErrors(spec),
    ...validateSelectors(spec),
    ...metadataErrors(review, 'must be empty', []),
  ]);
  return answered(authorizer, review, subjectOf(spec));
}

/** Answers a SelfSubjectAccessReview: whether the one who asks may do something. */
export function reviewOwnAccess(authorizer: Authorizer, user: User, review: JsonObject): JsonObject {
  const spec = objectAt(review, 'spec');
  refuse('SelfSubjectAccessReview', [
    ...specErrors(spec),
    ...validateSelectors(spec),
    ...metadataErrors(review, 'must be empty', []),
  ]);
  return answered(authorizer, review, user);
}

/** Answers a LocalSubjectAccessReview: whether someone may do something in the namespace of the request. */
export function reviewLocalAccess(authorizer: Authorizer, namespace: string, review: JsonObject): JsonObject {
  const metadata = objectAt(review, 'metadata');
  // The namespace of the path stands for one that was not given, as for every object.
  const own = textAt(metadata, 'namespace') || namespace;
  const placed = { ...review, metadata: { ...metadata, namespace: own } };
  const spec = objectAt(review, 'spec');
  refuse('LocalSubjectAccessReview', [
    ...specErrors(spec),
    ...subjectErrors(spec),
    ...validateSelectors(spec),
    ...metadataErrors(placed, 'must be empty except for namespace', ['namespace']),
    ...localErrors(spec, own),
  ]);
  if (namespace === '') throw badRequestError('namespace is required on this type: ');
  if (own !== namespace) {
    throw badRequestError(`spec.resourceAttributes.namespace must match namespace: ${namespace}`);
  }
  return answered(authorizer, placed, subjectOf(spec));
}

function answered(authorizer: Authorizer, review: JsonObject, user: User): JsonObject {
  const { allowed, reason } = authorizer.authorize(user, attributesOf(objectAt(review, 'spec')));
  const status = { allowed, ...(reason === '' ? {} : { reason }) };
  return { ...review, status };
}

function attributesOf(spec: JsonObject): Attributes {
  if (!isJsonObject(spec['resourceAttributes'])) {
    const wanted = objectAt(spec, 'nonResourceAttributes');
    return pathAttributes(textAt(wanted, 'verb'), textAt(wanted, 'path'));
  }
  const wanted = spec['resourceAttributes'];
  return resourceAttributes({
    verb: textAt(wanted, 'verb'),
    group: textAt(wanted, 'group'),
    version: textAt(wanted, 'version') || '*',
    resource: textAt(wanted, 'resource'),
    subresource: textAt(wanted, 'subresource'),
    namespace: textAt(wanted, 'namespace'),
    name: textAt(wanted, 'name'),
  });
}

function subjectOf(spec: JsonObject): User {
  return { name: textAt(spec, 'user'), groups: textsAt(spec, 'groups'), extra: {} };
}

function specErrors(spec: JsonObject): readonly FieldError[] {
  const onPath = spec['nonResourceAttributes'] ?? undefined;
  const hasResource = (spec['resourceAttributes'] ?? undefined) !== undefined;
  if (hasResource && onPath !== undefined) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    return [invalid('spec.nonResourceAttributes', onPath, detail)];
  }
  if (hasResource || onPath !== undefined) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalid('spec.resourceAttributes', null, detail)];
}

function subjectErrors(spec: JsonObject): readonly FieldError[] {
  if (textAt(spec, 'user') !== '' || textsAt(spec, 'groups').length > 0) return [];
  return [invalid('spec.user', '', 'at least one of user or group must be specified')];
}

function localErrors(spec: JsonObject, namespace: string): readonly FieldError[] {
  const resource = spec['resourceAttributes'];
  const asked = isJsonObject(resource) ? textAt(resource, 'namespace') : namespace;
  const onPath = spec['nonResourceAttributes'] ?? undefined;
  return [
    ...(asked === namespace
      ? []
      : [invalid('spec.resourceAttributes.namespace', asked, 'must match metadata.namespace')]),
    ...(onPath === undefined
      ? []
      : [invalid('spec.nonResourceAttributes', onPath, 'disallowed on this kind of request')]),
  ];
}

function metadataErrors(review: JsonObject, detail: string, allowed: readonly string[]): readonly FieldError[] {
  const metadata = objectAt(review, 'metadata');
  const ignored = new Set(['managedFields', 'creationTimestamp', ...allowed]);
  const rest = Object.entries(metadata).filter(([name, value]) => !ignored.has(name) && !isEmpty(value));
  return rest.length === 0 ? [] : [invalid('metadata', metadata, detail)];
}

function isEmpty(value: JsonValue): boolean {
  return (
    value === null || value === '' || value === 0 || (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

function refuse(kind: AccessReviewKind, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError({ group: GROUP, kind }, '', errors);
}
