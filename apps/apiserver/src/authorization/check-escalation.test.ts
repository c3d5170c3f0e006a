import type { JsonObject } from '@smalt/json';
import { describe, expect, it } from 'vitest';

import { MASTERS_GROUP, type User } from '../identity/user.ts';
import { checkEscalation, type PolicyWrite } from './check-escalation.ts';
import { PolicyIndex } from './policy-index.ts';
import { RbacAuthorizer } from './rbac-authorizer.ts';

describe('checkEscalation', () => {
  it('lets someone grant what they hold', () => {
    expect(outcome({ rules: [pods('get')] }, { rules: [pods('get', 'list')] })).toBe('allowed');
  });

  it('lists what is missing, the verbs of one thing together and everything in order', () => {
    const rules = [
      { verbs: ['get', 'list'], apiGroups: [''], resources: ['secrets'] },
      { verbs: ['get'], nonResourceURLs: ['/metrics'] },
      { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'], resourceNames: ['a', 'b'] },
      pods('get'),
    ];

    expect(outcome({ rules }, { rules: [pods('get')], groups: ['devs', 'system:authenticated'] })).toBe(
      `clusterroles.rbac.authorization.k8s.io "new" is forbidden: user "ada" (groups=["devs" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:
{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}
{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["a"], Verbs:["get"]}
{APIGroups:["apps"], Resources:["deployments"], ResourceNames:["b"], Verbs:["get"]}
{NonResourceURLs:["/metrics"], Verbs:["get"]}`,
    );
  });

  it.each([
    { held: { resources: ['*/status'] }, wanted: { resources: ['pods/status'] }, expected: 'allowed' },
    { held: { resources: ['pods'] }, wanted: { resources: ['pods/status'] }, expected: 'refused' },
    { held: { resourceNames: ['a'] }, wanted: { resourceNames: ['a'] }, expected: 'allowed' },
    { held: { resourceNames: ['a'] }, wanted: {}, expected: 'refused' },
    { held: { verbs: ['*'] }, wanted: { verbs: ['*'] }, expected: 'allowed' },
    { held: { verbs: ['get', 'list'] }, wanted: { verbs: ['*'] }, expected: 'refused' },
  ])('compares $held with $wanted: $expected', ({ held, wanted, expected }) => {
    const result = outcome({ rules: [{ ...pods('get'), ...wanted }] }, { rules: [{ ...pods('get'), ...held }] });

    expect(result === 'allowed' ? 'allowed' : 'refused').toBe(expected);
  });

  it('lets those escalate who may, and members of system:masters', () => {
    const mayEscalate = { verbs: ['escalate'], apiGroups: ['rbac.authorization.k8s.io'], resources: ['clusterroles'] };

    expect(outcome({ rules: [pods('get')] }, { rules: [mayEscalate] })).toBe('allowed');
    expect(outcome({ rules: [pods('get')] }, { rules: [], groups: [MASTERS_GROUP] })).toBe('allowed');
  });

  it('asks for everything from those who write an aggregation rule', () => {
    const aggregationRule = { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] };

    expect(outcome({ aggregationRule }, { rules: [pods('*')] })).toBe(
      'clusterroles.rbac.authorization.k8s.io "new" is forbidden: must have cluster-admin privileges to use the aggregationRule',
    );
    expect(outcome({ aggregationRule }, { rules: everything() })).toBe('allowed');
  });

  it('lets anybody change what only the garbage collector cares about', () => {
    const object = { metadata: { name: 'new', finalizers: ['x'] }, rules: [pods('get')] };
    const oldObject = { metadata: { name: 'new', finalizers: ['x', 'y'], ownerReferences: [] }, rules: [pods('get')] };

    expect(tryWrite({ object, oldObject }, { rules: [] })).toBe('allowed');
  });

  it.each([
    { rules: [pods('get')], expected: 'allowed' },
    {
      rules: [
        {
          verbs: ['bind'],
          apiGroups: ['rbac.authorization.k8s.io'],
          resources: ['clusterroles'],
          resourceNames: ['reader'],
        },
      ],
      expected: 'allowed',
    },
    { rules: [], expected: 'refused' },
  ])('judges a binding by the rules of its role, or by the verb bind: $expected', ({ rules, expected }) => {
    const object = { metadata: { name: 'new' }, roleRef: reader() };

    const result = tryWrite({ plural: 'clusterrolebindings', object }, { rules });

    expect(result.includes('not currently held') ? 'refused' : result).toBe(expected);
  });

  it('does not find the role of a binding that does not exist', () => {
    const roleRef = { ...reader(), name: 'gone' };

    expect(tryWrite({ plural: 'clusterrolebindings', object: { metadata: {}, roleRef } }, { rules: [] })).toBe(
      'clusterroles.rbac.authorization.k8s.io "gone" not found',
    );
  });
});

interface Holder {
  readonly rules: readonly JsonObject[];
  readonly groups?: readonly string[];
}

function outcome(role: JsonObject, holder: Holder): string {
  return tryWrite({ object: { metadata: { name: 'new' }, ...role } }, holder);
}

function tryWrite(write: Partial<PolicyWrite> & Pick<PolicyWrite, 'object'>, { rules, groups = [] }: Holder): string {
  const policy = new PolicyIndex();
  policy.put('clusterroles', { metadata: { name: 'held' }, rules });
  policy.put('clusterroles', { metadata: { name: 'reader' }, rules: [pods('get')] });
  policy.put('clusterrolebindings', {
    metadata: { name: 'held' },
    roleRef: { kind: 'ClusterRole', name: 'held' },
    subjects: [{ kind: 'User', name: 'ada' }],
  });
  const user: User = { name: 'ada', groups, extra: {} };
  try {
    checkEscalation(
      { policy, authorizer: new RbacAuthorizer(policy) },
      { plural: 'clusterroles', user, namespace: '', name: 'new', ...write },
    );
    return 'allowed';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function pods(...verbs: readonly string[]): JsonObject {
  return { verbs, apiGroups: [''], resources: ['pods'] };
}

function reader(): JsonObject {
  return { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'reader' };
}

function everything(): readonly JsonObject[] {
  return [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ];
}
