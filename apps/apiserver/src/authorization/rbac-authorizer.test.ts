import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { ALL_AUTHENTICATED, MASTERS_GROUP, type User } from '../identity/user.ts';
import { pathAttributes, resourceAttributes, type Attributes } from './authorizer.ts';
import { requestForbiddenError } from './forbidden.ts';
import { PolicyIndex } from './policy-index.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';

describe('RbacAuthorizer', () => {
  it.each([
    { rule: { verbs: ['get'], apiGroups: [''], resources: ['pods'] }, asks: {}, allowed: true },
    { rule: { verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, asks: { subresource: 'log' }, allowed: true },
    { rule: { verbs: ['list'], apiGroups: [''], resources: ['pods'] }, asks: {}, allowed: false },
    { rule: { verbs: ['get'], apiGroups: ['apps'], resources: ['pods'] }, asks: {}, allowed: false },
    { rule: { verbs: ['get'], apiGroups: [''], resources: ['pods'] }, asks: { subresource: 'log' }, allowed: false },
    { rule: { verbs: ['get'], apiGroups: [''], resources: ['pods/log'] }, asks: { subresource: 'log' }, allowed: true },
    { rule: { verbs: ['get'], apiGroups: [''], resources: ['*/log'] }, asks: { subresource: 'log' }, allowed: true },
    { rule: { verbs: ['get'], apiGroups: [''], resources: ['*/log'] }, asks: {}, allowed: false },
    { rule: rule({ resourceNames: ['a'] }), asks: { name: 'a' }, allowed: true },
    { rule: rule({ resourceNames: ['a'] }), asks: { name: 'b' }, allowed: false },
    { rule: rule({ resourceNames: ['a'] }), asks: { name: '' }, allowed: false },
    { rule: { verbs: ['get'], nonResourceURLs: ['*'] }, asks: {}, allowed: false },
  ])('judges $asks by $rule: $allowed', ({ rule: given, asks, allowed }) => {
    const authorizer = new RbacAuthorizer(
      policyOf(clusterRole('r', [given]), clusterBinding('b', 'r', userSubject('ada'))),
    );

    const decision = authorizer.authorize(user('ada'), resourceAttributes({ verb: 'get', resource: 'pods', ...asks }));

    expect(decision.allowed).toBe(allowed);
  });

  it.each([
    { pattern: '/metrics', path: '/metrics', allowed: true },
    { pattern: '/metrics', path: '/metrics/a', allowed: false },
    { pattern: '/healthz/*', path: '/healthz/ping', allowed: true },
    { pattern: '/healthz/*', path: '/healthz', allowed: false },
    { pattern: '*', path: '/anything', allowed: true },
  ])('judges the path $path by $pattern: $allowed', ({ pattern, path, allowed }) => {
    const paths = clusterRole('r', [{ verbs: ['get'], nonResourceURLs: [pattern] }]);
    const authorizer = new RbacAuthorizer(policyOf(paths, clusterBinding('b', 'r', userSubject('ada'))));

    expect(authorizer.authorize(user('ada'), pathAttributes('get', path)).allowed).toBe(allowed);
  });

  it.each([
    {
      binding: clusterBinding('b', 'r', { kind: 'Group', name: 'devs' }),
      reason: 'RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to Group "devs"',
    },
    {
      binding: roleBinding('b', { kind: 'ClusterRole', name: 'r' }, userSubject('ada')),
      reason: 'RBAC: allowed by RoleBinding "b/n" of ClusterRole "r" to User "ada"',
    },
    {
      binding: roleBinding('b', { kind: 'Role', name: 'local' }, userSubject('ada')),
      reason: 'RBAC: allowed by RoleBinding "b/n" of Role "local" to User "ada"',
    },
  ])('says $reason', ({ binding, reason }) => {
    const policy = policyOf(clusterRole('r', [rule({})]), role('local', [rule({})]), binding);

    const decision = new RbacAuthorizer(policy).authorize(user('ada', ['devs']), getPods('n'));

    expect(decision).toEqual({ allowed: true, reason });
  });

  it('grants a binding in a namespace nowhere else', () => {
    const policy = policyOf(
      clusterRole('r', [rule({})]),
      roleBinding('b', { kind: 'ClusterRole', name: 'r' }, userSubject('ada')),
    );
    const authorizer = new RbacAuthorizer(policy);

    expect(authorizer.authorize(user('ada'), getPods('other')).allowed).toBe(false);
    expect(authorizer.authorize(user('ada'), getPods('')).allowed).toBe(false);
  });

  it('takes a service account without a namespace for one of the binding', () => {
    const subject = { kind: 'ServiceAccount', name: 'bot' };
    const policy = policyOf(
      clusterRole('r', [rule({})]),
      roleBinding('b', { kind: 'ClusterRole', name: 'r' }, subject),
    );

    const decision = new RbacAuthorizer(policy).authorize(user('system:serviceaccount:n:bot'), getPods('n'));

    expect(decision.reason).toBe('RBAC: allowed by RoleBinding "b/n" of ClusterRole "r" to ServiceAccount "bot/n"');
  });

  it('names the role that a binding refers to in vain', () => {
    const policy = policyOf(clusterBinding('b', 'gone', userSubject('ada')));

    const decision = new RbacAuthorizer(policy).authorize(user('ada'), getPods('n'));

    expect(decision).toEqual({
      allowed: false,
      reason: 'RBAC: clusterrole.rbac.authorization.k8s.io "gone" not found',
    });
  });

  it('lets members of system:masters do everything', () => {
    const decision = new RbacAuthorizer(new PolicyIndex()).authorize(user('root', [MASTERS_GROUP]), getPods('n'));

    expect(decision).toEqual({ allowed: true, reason: '' });
  });

  it('forgets what a changed or deleted binding granted', () => {
    const policy = policyOf(clusterRole('r', [rule({})]), clusterBinding('b', 'r', userSubject('ada')));
    const authorizer = new RbacAuthorizer(policy);

    policy.put('clusterrolebindings', clusterBinding('b', 'r', userSubject('bob')));
    const afterChange = ['ada', 'bob'].map((name) => authorizer.authorize(user(name), getPods('n')).allowed);
    policy.remove('clusterrolebindings', '', 'b');
    const afterDeletion = authorizer.authorize(user('bob'), getPods('n')).allowed;

    expect({ afterChange, afterDeletion }).toEqual({ afterChange: [false, true], afterDeletion: false });
  });

  it('answers in a few microseconds among thousands of bindings', () => {
    const policy = policyOf(clusterRole('r', [rule({})]));
    for (let index = 0; index < 5_000; index++) {
      policy.put('clusterrolebindings', clusterBinding(`b${index}`, 'r', userSubject(`u${index}`)));
    }
    const authorizer = new RbacAuthorizer(policy);
    const asked = getPods('n');
    const startedAt = performance.now();

    for (let round = 0; round < 10_000; round++) authorizer.authorize(user('u4999', [ALL_AUTHENTICATED]), asked);

    // A hundred times what it takes, so that a busy machine does not fail the test and a search through all would.
    expect((performance.now() - startedAt) / 10_000).toBeLessThan(0.1);
  });
});

describe('requestForbiddenError', () => {
  it.each([
    {
      attributes: resourceAttributes({
        verb: 'list',
        resource: 'machines',
        group: 'bench.example.dev',
        namespace: 'n',
      }),
      reason: '',
      message:
        'machines.bench.example.dev is forbidden: User "x" cannot list resource "machines" in API group "bench.example.dev" in the namespace "n"',
    },
    {
      attributes: resourceAttributes({ verb: 'get', resource: 'nodes', name: 'a' }),
      reason: '',
      message: 'nodes "a" is forbidden: User "x" cannot get resource "nodes" in API group "" at the cluster scope',
    },
    {
      attributes: resourceAttributes({ verb: 'get', resource: 'pods', subresource: 'log', namespace: 'n', name: 'p' }),
      reason: 'RBAC: role.rbac.authorization.k8s.io "r" not found',
      message:
        'pods "p" is forbidden: User "x" cannot get resource "pods/log" in API group "" in the namespace "n": RBAC: role.rbac.authorization.k8s.io "r" not found',
    },
    {
      attributes: pathAttributes('get', '/a<b'),
      reason: '',
      message: 'forbidden: User "x" cannot get path "/a&lt;b"',
    },
  ])('says: $message', ({ attributes, reason, message }) => {
    const error = requestForbiddenError(user('x'), attributes, reason);

    expect(error.status).toMatchObject({ code: 403, reason: 'Forbidden', message });
  });
});

function policyOf(...objects: readonly JsonObject[]): PolicyIndex {
  const policy = new PolicyIndex();
  for (const object of objects) {
    const { kind } = object;
    if (kind === 'ClusterRole') policy.put('clusterroles', object);
    if (kind === 'Role') policy.put('roles', object);
    if (kind === 'ClusterRoleBinding') policy.put('clusterrolebindings', object);
    if (kind === 'RoleBinding') policy.put('rolebindings', object);
  }
  return policy;
}

function rule(more: JsonObject): JsonObject {
  return { verbs: ['get'], apiGroups: [''], resources: ['pods'], ...more };
}

function clusterRole(name: string, rules: readonly JsonObject[]): JsonObject {
  return { kind: 'ClusterRole', metadata: { name }, rules };
}

function role(name: string, rules: readonly JsonObject[]): JsonObject {
  return { kind: 'Role', metadata: { name, namespace: 'n' }, rules };
}

function clusterBinding(name: string, roleName: string, subject: JsonObject): JsonObject {
  return {
    kind: 'ClusterRoleBinding',
    metadata: { name },
    roleRef: { kind: 'ClusterRole', name: roleName },
    subjects: [subject],
  };
}

function roleBinding(name: string, roleRef: JsonObject, subject: JsonObject): JsonObject {
  return { kind: 'RoleBinding', metadata: { name, namespace: 'n' }, roleRef, subjects: [subject] };
}

function userSubject(name: string): JsonObject {
  return { kind: 'User', name };
}

function user(name: string, groups: readonly string[] = []): User {
  return { name, groups, extra: {} };
}

function getPods(namespace: string): Attributes {
  return resourceAttributes({ verb: 'get', resource: 'pods', namespace });
}
