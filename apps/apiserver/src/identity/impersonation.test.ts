import { describe, expect, it } from 'vitest';

import type { Attributes } from '../authorization/authorizer.ts';
import { impersonatedUser } from './impersonation.ts';
import { parseServiceAccountUserName } from './service-account-name.ts';
import type { User } from './user.ts';

const ADA: User = { name: 'ada', groups: ['system:authenticated'], extra: {} };

describe('impersonatedUser', () => {
  it('is the one who asks, without the headers for it', () => {
    expect(impersonatedUser(allowing(), ADA, ['Accept', '*/*'])).toBe(ADA);
  });

  it.each([
    {
      headers: ['Impersonate-User', 'bob'],
      user: { name: 'bob', groups: ['system:authenticated'], extra: {} },
    },
    {
      headers: [
        'Impersonate-User',
        'bob',
        'Impersonate-Group',
        'devs',
        'impersonate-group',
        'ops',
        'Impersonate-Uid',
        '7',
      ],
      user: { name: 'bob', groups: ['devs', 'ops', 'system:authenticated'], extra: {}, uid: '7' },
    },
    {
      headers: [
        'Impersonate-User',
        'bob',
        'Impersonate-Extra-Example.com%2Fteam',
        'a',
        'Impersonate-Extra-Example.com%2Fteam',
        'b',
      ],
      user: { name: 'bob', groups: ['system:authenticated'], extra: { 'example.com/team': ['a', 'b'] } },
    },
    {
      headers: ['Impersonate-User', 'system:serviceaccount:n:bot'],
      user: {
        name: 'system:serviceaccount:n:bot',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated'],
        extra: {},
      },
    },
    {
      headers: ['Impersonate-User', 'system:anonymous'],
      user: { name: 'system:anonymous', groups: ['system:unauthenticated'], extra: {} },
    },
    {
      headers: ['Impersonate-User', 'bob', 'Impersonate-Group', 'system:unauthenticated'],
      user: { name: 'bob', groups: ['system:unauthenticated'], extra: {} },
    },
    {
      headers: ['Impersonate-User', Buffer.from('Zoë').toString('latin1')],
      user: { name: 'Zoë', groups: ['system:authenticated'], extra: {} },
    },
  ])('is $user.name with $user.groups', ({ headers, user }) => {
    expect(impersonatedUser(allowing(), ADA, headers)).toEqual(user);
  });

  it.each([
    {
      refused: 'users',
      message:
        'users "bob" is forbidden: User "ada" cannot impersonate resource "users" in API group "" at the cluster scope',
    },
    {
      refused: 'groups',
      message:
        'groups "devs" is forbidden: User "ada" cannot impersonate resource "groups" in API group "" at the cluster scope',
    },
    {
      refused: 'userextras',
      message:
        'userextras.authentication.k8s.io "x" is forbidden: User "ada" cannot impersonate resource "userextras/team" in API group "authentication.k8s.io" at the cluster scope',
    },
    {
      refused: 'uids',
      message:
        'uids.authentication.k8s.io "7" is forbidden: User "ada" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
    },
  ])('needs permission for $refused', ({ refused, message }) => {
    const headers = [
      'Impersonate-User',
      'bob',
      'Impersonate-Group',
      'devs',
      'Impersonate-Extra-Team',
      'x',
      'Impersonate-Uid',
      '7',
    ];

    expect(() => impersonatedUser(allowing(refused), ADA, headers)).toThrow(message);
  });

  it('asks for a service account in its namespace', () => {
    const asked: Attributes[] = [];
    const authorizer = {
      authorize: (_user: User, attributes: Attributes) => (asked.push(attributes), { allowed: true, reason: '' }),
    };

    impersonatedUser(authorizer, ADA, ['Impersonate-User', 'system:serviceaccount:n:bot']);

    expect(asked).toMatchObject([{ verb: 'impersonate', resource: 'serviceaccounts', namespace: 'n', name: 'bot' }]);
  });

  it('refuses parts of a user without a user', () => {
    expect(() => impersonatedUser(allowing(), ADA, ['Impersonate-Group', 'devs'])).toThrow(
      'requested [{Group  devs    }] without impersonating a user',
    );
  });
});

it.each([
  { name: 'system:serviceaccount:n:a.b', parsed: { namespace: 'n', name: 'a.b' } },
  { name: 'system:serviceaccount:n', parsed: undefined },
  { name: 'system:serviceaccount:n:a:b', parsed: undefined },
  { name: 'system:serviceaccount:N:a', parsed: undefined },
  { name: 'ada', parsed: undefined },
])('reads $name as $parsed', ({ name, parsed }) => {
  expect(parseServiceAccountUserName(name)).toEqual(parsed);
});

function allowing(except?: string) {
  return { authorize: (_user: User, { resource }: Attributes) => ({ allowed: resource !== except, reason: '' }) };
}
