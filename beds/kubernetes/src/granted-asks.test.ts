import { expect, it } from 'vitest';

import { asksOf, type RightsObject } from './granted-asks.ts';

const SUBJECTS = [{ kind: 'ServiceAccount', name: 'agent', namespace: 'system' }];

it('asks once for each role that an account is bound to, by its first rule, where it is bound', () => {
  const objects: readonly RightsObject[] = [
    {
      kind: 'Role',
      metadata: { name: 'r', namespace: 'n' },
      rules: [
        { apiGroups: ['apps'], resources: ['deployments/status', 'x'], verbs: ['patch', 'get'] },
        { apiGroups: [''], resources: ['secrets'], resourceNames: ['one'], verbs: ['get'] },
      ],
    },
    // One of the same name elsewhere is another role.
    { kind: 'Role', metadata: { name: 'r', namespace: 'other' }, rules: [{ resources: ['nothing'], verbs: ['get'] }] },
    {
      kind: 'RoleBinding',
      metadata: { name: 'b', namespace: 'n' },
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [...SUBJECTS, { kind: 'Group', name: 'people' }],
    },
  ];

  const user = 'system:serviceaccount:system:agent';
  expect(asksOf(objects)).toEqual([
    {
      user,
      resourceAttributes: {
        group: 'apps',
        resource: 'deployments',
        subresource: 'status',
        verb: 'patch',
        namespace: 'n',
      },
    },
  ]);
});

it('asks nothing about roles that are not among what was made', () => {
  const roleRef = { kind: 'Role', name: 'extension-apiserver-authentication-reader' };

  expect(asksOf([{ kind: 'RoleBinding', metadata: { name: 'b' }, roleRef, subjects: SUBJECTS }])).toEqual([]);
});
