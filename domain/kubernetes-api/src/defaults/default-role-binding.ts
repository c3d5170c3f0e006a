import type { JsonObject } from '@smalt/json';

import { withChild, withField, withItems } from '../edit-object.ts';
import { textAt } from '../read-path.ts';

const RBAC = 'rbac.authorization.k8s.io';

/** Fills in the groups of what a RoleBinding or ClusterRoleBinding refers to. */
export function defaultRoleBinding(object: JsonObject): JsonObject {
  return withItems(
    withChild(object, 'roleRef', (reference) =>
      textAt(reference, 'apiGroup') === '' ? withField(reference, 'apiGroup', RBAC) : reference,
    ),
    'subjects',
    (subject) => {
      const isPerson = ['User', 'Group'].includes(textAt(subject, 'kind'));
      return isPerson && textAt(subject, 'apiGroup') === '' ? withField(subject, 'apiGroup', RBAC) : subject;
    },
  );
}
