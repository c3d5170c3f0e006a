import { describe, expect, it } from 'vitest';

import { makeTokenWorld, TEST_ISSUER } from './fake-token-world.ts';
import { reviewSelf, reviewToken } from './token-review.ts';

describe('reviewToken', () => {
  it('says whom a token stands for', () => {
    const world = makeTokenWorld();
    const review = { kind: 'TokenReview', metadata: {}, spec: { token: world.issue({}) } };

    expect(reviewToken(world.authenticator, '', review)).toMatchObject({
      ...review,
      status: {
        authenticated: true,
        audiences: [TEST_ISSUER],
        user: {
          username: 'system:serviceaccount:n:bot',
          groups: ['system:serviceaccounts', 'system:serviceaccounts:n', 'system:authenticated'],
        },
      },
    });
  });

  it.each([
    { token: 'nonsense', audiences: [], error: 'invalid bearer token' },
    { token: 'static', audiences: ['vault'], error: 'invalid bearer token' },
    {
      token: makeTokenWorld().issue({}),
      audiences: [],
      error: '[invalid bearer token, invalid signature, no keys found]',
    },
  ])('says why a token stands for nobody: $error', ({ token, audiences, error }) => {
    expect(reviewToken(makeTokenWorld().authenticator, '', { spec: { token, audiences } })['status']).toEqual({
      user: {},
      error,
    });
  });

  it('needs a token and no namespace', () => {
    const { authenticator } = makeTokenWorld();

    expect(() => reviewToken(authenticator, '', { spec: {} })).toThrow(
      'token is required for TokenReview in authentication',
    );
    expect(() => reviewToken(authenticator, 'n', { spec: { token: 'x' } })).toThrow(
      'namespace is not allowed on this type: n',
    );
  });
});

it('tells people who they are', () => {
  const user = { name: 'ada', uid: '7', groups: ['devs'], extra: { team: ['a'] } };

  expect(reviewSelf(user, new Date('2026-01-01T00:00:00.5Z'))).toEqual({
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
    status: { userInfo: { username: 'ada', uid: '7', groups: ['devs'], extra: { team: ['a'] } } },
  });
});
