import type { JsonObject } from '@smalt/json';
import { goQuote } from '@smalt/resource';

import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import { serviceAccountUserName } from '../identity/service-account-name.ts';

export const RBAC_GROUP = 'rbac.authorization.k8s.io';

export interface RoleReference {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** A role binding or, with an empty namespace, a cluster role binding. */
export interface PolicyBinding {
  readonly name: string;
  readonly namespace: string;
  readonly role: RoleReference;
  readonly subjects: readonly BoundSubject[];
}

interface BoundSubject {
  /** What a user is looked up by, see `subjectKeys`. */
  readonly key: string;
  /** `RoleBinding "b/ns" of Role "r" to User "u"`. */
  readonly description: string;
}

/** Reads a binding as it is stored. Subjects that can stand for nobody are left out. */
export function readPolicyBinding(object: JsonObject): PolicyBinding {
  const metadata = objectAt(object, 'metadata');
  const name = textAt(metadata, 'name');
  const namespace = textAt(metadata, 'namespace');
  const role = readRoleReference(object);
  const kind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
  const bound = goQuote(namespace === '' ? name : `${name}/${namespace}`);
  const lead = `${kind} ${bound} of ${role.kind} ${goQuote(role.name)} to`;
  return {
    name,
    namespace,
    role,
    subjects: objectsAt(object, 'subjects').flatMap((subject) => readSubject(subject, namespace, lead)),
  };
}

export function readRoleReference(object: JsonObject): RoleReference {
  const reference = objectAt(object, 'roleRef');
  return {
    apiGroup: textAt(reference, 'apiGroup'),
    kind: textAt(reference, 'kind'),
    name: textAt(reference, 'name'),
  };
}

/** The key of a subject that is one user. */
export function userKey(name: string): string {
  return `user:${name}`;
}

/** The key of a subject that is a group. */
export function groupKey(name: string): string {
  return `group:${name}`;
}

function readSubject(subject: JsonObject, bindingNamespace: string, lead: string): readonly BoundSubject[] {
  const kind = textAt(subject, 'kind');
  const name = textAt(subject, 'name');
  if (kind === 'User') return [{ key: userKey(name), description: `${lead} User ${goQuote(name)}` }];
  if (kind === 'Group') return [{ key: groupKey(name), description: `${lead} Group ${goQuote(name)}` }];
  // A service account without a namespace is one of the namespace of the binding.
  const namespace = textAt(subject, 'namespace') || bindingNamespace;
  if (kind !== 'ServiceAccount' || namespace === '') return [];
  const description = `${lead} ServiceAccount ${goQuote(`${name}/${namespace}`)}`;
  return [{ key: userKey(serviceAccountUserName({ namespace, name })), description }];
}
