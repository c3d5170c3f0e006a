import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import type { User } from '../identity/user.ts';
import { reviewLocalAccess, reviewOwnAccess, reviewSubjectAccess } from './access-review.ts';
import { PolicyIndex } from './policy-index.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';
import { reviewOwnRules } from './rules-review.ts';

const ADA: User = { name: 'ada', groups: ['system:authenticated'], extra: {} };
const GET_PODS = { verb: 'get', resource: 'pods', namespace: 'n' };

describe('reviewSubjectAccess', () => {
  it('answers with the same object and who allowed it', () => {
    const review = { kind: 'SubjectAccessReview', metadata: {}, spec: { user: 'ada', resourceAttributes: GET_PODS } };

    expect(reviewSubjectAccess(authorizer(), review)).toEqual({
      ...review,
      status: { allowed: true, reason: 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "ada"' },
    });
  });

  it('answers no for somebody else, and about paths', () => {
    const onPath = { user: 'ada', nonResourceAttributes: { verb: 'get', path: '/metrics' } };

    expect(
      reviewSubjectAccess(authorizer(), { spec: { groups: ['x'], resourceAttributes: GET_PODS } })['status'],
    ).toEqual({ allowed: false });
    expect(reviewSubjectAccess(authorizer(), { spec: onPath })['status']).toEqual({ allowed: false });
  });

  it.each([
    {
      review: { spec: { user: 'ada' } },
      message:
        'SubjectAccessReview.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: null: exactly one of nonResourceAttributes or resourceAttributes must be specified',
    },
    {
      review: { spec: { resourceAttributes: GET_PODS } },
      message:
        'SubjectAccessReview.authorization.k8s.io "" is invalid: spec.user: Invalid value: "": at least one of user or group must be specified',
    },
    {
      review: { metadata: { name: 'x' }, spec: { user: 'ada', resourceAttributes: GET_PODS } },
      message:
        'SubjectAccessReview.authorization.k8s.io "" is invalid: metadata: Invalid value: {"name":"x"}: must be empty',
    },
    {
      review: { spec: { user: 'ada', resourceAttributes: { ...GET_PODS, labelSelector: {} } } },
      message:
        'SubjectAccessReview.authorization.k8s.io "" is invalid: spec.resourceAttributes.labelSelector.requirements: Required value: when spec.resourceAttributes.labelSelector is specified, requirements or rawSelector is required',
    },
  ])('refuses $review', ({ review, message }) => {
    expect(() => reviewSubjectAccess(authorizer(), review)).toThrow(message);
  });
});

it('reviews the access of the one who asks', () => {
  expect(reviewOwnAccess(authorizer(), ADA, { spec: { resourceAttributes: GET_PODS } })['status']).toMatchObject({
    allowed: true,
  });
});

describe('reviewLocalAccess', () => {
  it('answers in the namespace of the request', () => {
    const answer = reviewLocalAccess(authorizer(), 'n', { spec: { user: 'ada', resourceAttributes: GET_PODS } });

    expect(answer).toMatchObject({ metadata: { namespace: 'n' }, status: { allowed: true } });
  });

  it.each([
    {
      review: { spec: { user: 'a', resourceAttributes: { verb: 'get', namespace: 'o' } } },
      message: 'must match metadata.namespace',
    },
    {
      review: { spec: { user: 'a', nonResourceAttributes: { path: '/' } } },
      message: 'disallowed on this kind of request',
    },
    {
      review: {
        metadata: { namespace: 'o' },
        spec: { user: 'a', resourceAttributes: { verb: 'get', namespace: 'o' } },
      },
      message: 'spec.resourceAttributes.namespace must match namespace: n',
    },
  ])('refuses $review', ({ review, message }) => {
    expect(() => reviewLocalAccess(authorizer(), 'n', review)).toThrow(message);
  });
});

describe('reviewOwnRules', () => {
  it('lists what the one who asks may do', () => {
    expect(reviewOwnRules(policy(), ADA, { spec: { namespace: 'n' } })).toEqual({
      kind: 'SelfSubjectRulesReview',
      apiVersion: 'authorization.k8s.io/v1',
      metadata: {},
      spec: {},
      status: {
        resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'] }],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz'] }],
        incomplete: false,
      },
    });
  });

  it('needs a namespace', () => {
    expect(() => reviewOwnRules(policy(), ADA, { spec: {} })).toThrow('no namespace on request');
  });
});

function authorizer(): RbacAuthorizer {
  return new RbacAuthorizer(policy());
}

function policy(): PolicyIndex {
  const index = new PolicyIndex();
  const rules: readonly JsonObject[] = [
    { verbs: ['get'], apiGroups: [''], resources: ['pods'] },
    { verbs: ['get'], nonResourceURLs: ['/healthz'] },
  ];
  index.put('clusterroles', { metadata: { name: 'r' }, rules });
  index.put('clusterrolebindings', {
    metadata: { name: 'b' },
    roleRef: { kind: 'ClusterRole', name: 'r' },
    subjects: [{ kind: 'User', name: 'ada' }],
  });
  return index;
}
