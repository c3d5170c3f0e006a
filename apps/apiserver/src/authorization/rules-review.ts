import type { JsonObject } from '@smalt/json';

import { badRequestError } from '../errors/make-status-error.ts';
import { objectAt, textAt } from '../identity/object-fields.ts';
import type { User } from '../identity/user.ts';
import type { PolicyIndex } from './policy-index.ts';
import type { PolicyRule } from './policy-rule.ts';
import { aggregate } from './rbac-authorizer.ts';

/** Answers a SelfSubjectRulesReview: all that the one who asks may do in a namespace. */
export function reviewOwnRules(policy: PolicyIndex, user: User, review: JsonObject): JsonObject {
  const namespace = textAt(objectAt(review, 'spec'), 'namespace');
  if (namespace === '') throw badRequestError('no namespace on request');
  const { rules, errors } = policy.rulesFor(user, namespace);
  return {
    kind: 'SelfSubjectRulesReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: {},
    status: {
      resourceRules: rules.filter((rule) => rule.resources.length > 0).map(resourceRule),
      nonResourceRules: rules
        .filter((rule) => rule.nonResourceURLs.length > 0)
        .map(({ verbs, nonResourceURLs }) => ({ verbs, nonResourceURLs })),
      incomplete: false,
      ...(errors.length === 0 ? {} : { evaluationError: aggregate(errors) }),
    },
  };
}

function resourceRule({ verbs, apiGroups, resources, resourceNames }: PolicyRule): JsonObject {
  return {
    verbs,
    ...(apiGroups.length === 0 ? {} : { apiGroups }),
    resources,
    ...(resourceNames.length === 0 ? {} : { resourceNames }),
  };
}
