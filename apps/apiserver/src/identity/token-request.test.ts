import { isJsonObject, type JsonObject } from '@smalt/json';
import { decodeJwt } from 'jose';
import { describe, expect, it } from 'vitest';

import { makeTokenWorld, TEST_ACCOUNT, TEST_ISSUER } from './fake-token-world.ts';
import { requestToken } from './token-request.ts';

describe('requestToken', () => {
  it('answers with a token for the service account of the path', () => {
    const world = makeTokenWorld();

    const answer = requestToken(world, { namespace: 'n', name: 'bot' }, { spec: {} });

    expect(answer).toEqual({
      kind: 'TokenRequest',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { name: 'bot', namespace: 'n', uid: 'u1', creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { audiences: [TEST_ISSUER], expirationSeconds: 3_600, boundObjectRef: null },
      status: { token: expect.any(String) as unknown, expirationTimestamp: '2026-01-01T01:00:00Z' },
    });
    expect(world.tokens.authenticate(tokenIn(answer)).kind).toBe('user');
  });

  it('binds a token to a pod, and names the node of the pod', () => {
    const world = makeTokenWorld();
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'p', uid: 'u2' };

    const answer = requestToken(
      world,
      { namespace: 'n', name: 'bot' },
      { spec: { boundObjectRef, expirationSeconds: 600 } },
    );

    expect(decodeJwt(tokenIn(answer))['kubernetes.io']).toEqual({
      namespace: 'n',
      node: { name: 'n1', uid: 'u3' },
      pod: { name: 'p', uid: 'u2' },
      serviceaccount: TEST_ACCOUNT,
    });
  });

  it.each([
    { name: 'gone', request: {}, message: 'serviceaccounts "gone" not found' },
    {
      request: { spec: { expirationSeconds: 599 } },
      message:
        'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes',
    },
    {
      request: { spec: { expirationSeconds: 2 ** 32 + 1 } },
      message: 'may not specify a duration larger than 2^32 seconds',
    },
    {
      request: { metadata: { name: 'other' } },
      message: 'metadata.name: Invalid value: "other": must match the service account name if specified',
    },
    {
      request: { metadata: { uid: 'u9' } },
      message:
        'Operation cannot be fulfilled on TokenRequest.authentication.k8s.io "bot": the UID in the token request (u9) does not match the UID of the service account (u1)',
    },
    { request: bound({ kind: 'Pod', name: 'gone' }), message: 'pods "gone" not found' },
    { request: bound({ kind: 'Secret', name: 'gone' }), message: 'secrets "gone" not found' },
    {
      request: bound({ kind: 'Pod', name: 'p', uid: 'u9' }),
      message:
        'Operation cannot be fulfilled on Pod "p": the UID in the bound object reference (u9) does not match the UID in record. The object might have been deleted and then recreated',
    },
    {
      request: bound({ kind: 'Deployment', apiVersion: 'apps/v1', name: 'd' }),
      message: 'cannot bind token to object of type apps/v1, Kind=Deployment',
    },
    {
      name: 'other',
      request: bound({ kind: 'Pod', name: 'p' }),
      message: 'cannot bind token for serviceaccount "other" to pod running with different serviceaccount name.',
    },
  ])('refuses: $message', ({ name = 'bot', request, message }) => {
    expect(() => requestToken(makeTokenWorld(), { namespace: 'n', name }, request)).toThrow(message);
  });
});

function bound(reference: JsonObject): JsonObject {
  return { spec: { boundObjectRef: { apiVersion: 'v1', ...reference } } };
}

function tokenIn(answer: JsonObject): string {
  const status = answer['status'];
  return isJsonObject(status) && typeof status['token'] === 'string' ? status['token'] : '';
}
