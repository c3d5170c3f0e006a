import { isJsonObject, type JsonObject } from '@smalt/json';
import { importJWK, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';

import { makeTokenWorld, TEST_ACCOUNT, TEST_ISSUER, type TokenWorld } from './fake-token-world.ts';
import { openidConfiguration, publicKeySet } from './issuer-documents.ts';

describe('ServiceAccountTokens', () => {
  it('knows the service account of a token that it issued', () => {
    const world = makeTokenWorld();

    const verdict = world.tokens.authenticate(
      world.issue({ binding: { pod: { name: 'p', uid: 'u2' }, node: { name: 'n1', uid: 'u3' } } }),
    );

    expect(verdict).toEqual({
      kind: 'user',
      user: {
        name: 'system:serviceaccount:n:bot',
        uid: 'u1',
        groups: ['system:serviceaccounts', 'system:serviceaccounts:n'],
        extra: {
          'authentication.kubernetes.io/credential-id': [expect.stringMatching(/^JTI=[0-9a-f-]{36}$/)],
          'authentication.kubernetes.io/node-name': ['n1'],
          'authentication.kubernetes.io/node-uid': ['u3'],
          'authentication.kubernetes.io/pod-name': ['p'],
          'authentication.kubernetes.io/pod-uid': ['u2'],
        },
      },
      audiences: [TEST_ISSUER],
    });
  });

  it('issues tokens that others can verify with the published keys', async () => {
    const world = makeTokenWorld();
    const keys = publicKeySet(world.signer)['keys'];
    const [key] = Array.isArray(keys) ? keys.filter(isJsonObject) : [];

    const { payload, protectedHeader } = await jwtVerify(
      world.issue({}),
      await importJWK({ ...key } as never, 'ES256'),
      {
        issuer: TEST_ISSUER,
        audience: TEST_ISSUER,
        currentDate: world.clock.now,
      },
    );

    expect(protectedHeader).toEqual({ alg: 'ES256', kid: world.signer.keyId });
    expect(payload).toMatchObject({
      sub: 'system:serviceaccount:n:bot',
      'kubernetes.io': { namespace: 'n', serviceaccount: TEST_ACCOUNT },
    });
    expect(openidConfiguration(TEST_ISSUER, `${TEST_ISSUER}/openid/v1/jwks`)).toMatchObject({
      issuer: TEST_ISSUER,
      id_token_signing_alg_values_supported: ['ES256'],
    });
  });

  it.each([
    { name: 'expired', change: at('2026-01-01T01:01:01Z'), message: 'service account token has expired' },
    { name: 'of the future', change: at('2025-12-31T23:58:59Z'), message: 'service account token is not valid yet' },
    { name: 'of a deleted account', change: without('serviceaccounts'), message: 'serviceaccounts "bot" not found' },
    {
      name: 'of an account that was made anew',
      change: replacing('serviceaccounts', 'n/bot', { uid: 'u9' }),
      message: 'service account UID (u9) does not match claim (u1)',
    },
    {
      name: 'of an account that is being deleted',
      change: replacing('serviceaccounts', 'n/bot', { uid: 'u1', deletionTimestamp: '2025-12-31T23:58:00Z' }),
      message: 'service account n/bot has been deleted',
    },
    { name: 'of a deleted pod', change: without('pods'), message: 'service account token has been invalidated' },
    {
      name: 'of a pod that was made anew',
      change: replacing('pods', 'n/p', { uid: 'u9' }),
      message: 'pod UID (u9) does not match service account pod ref claim (u2)',
    },
  ])('refuses a token $name', ({ change, message }) => {
    const world = makeTokenWorld();
    const token = world.issue({ binding: { pod: { name: 'p', uid: 'u2' } } });
    expect(world.tokens.authenticate(token).kind).toBe('user');

    change(world);

    expect(world.tokens.authenticate(token)).toEqual({ kind: 'refused', message });
  });

  it('accepts a token a minute longer than it says, as clocks differ', () => {
    const world = makeTokenWorld();
    const token = world.issue({});

    world.clock.now = new Date('2026-01-01T01:00:59Z');

    expect(world.tokens.authenticate(token).kind).toBe('user');
  });

  it('refuses a token for somebody else', () => {
    const world = makeTokenWorld();

    expect(world.tokens.authenticate(world.issue({ audiences: ['vault'] }))).toEqual({
      kind: 'refused',
      message: `token audiences ["vault"] is invalid for the target audiences ["${TEST_ISSUER}"]`,
    });
    expect(world.tokens.authenticate(world.issue({ audiences: ['vault'] }), ['vault', 'x'])).toMatchObject({
      kind: 'user',
      audiences: ['vault'],
    });
  });

  it.each([
    { name: 'changed claims', forge: (token: string) => swapClaims(token, { sub: 'system:serviceaccount:n:root' }) },
    { name: 'no algorithm', forge: (token: string) => swapHeader(token, { alg: 'none' }) },
    { name: 'another algorithm', forge: (token: string) => swapHeader(token, { alg: 'HS256' }) },
    { name: 'another key', forge: () => makeTokenWorld().issue({}) },
  ])('refuses a token with $name', ({ forge }) => {
    const world = makeTokenWorld();

    expect(world.tokens.authenticate(forge(world.issue({}))).kind).toBe('refused');
  });

  it.each(['', 'x', 'a.b.c', 'e30.e30.e30'])('does not know %j, which may be of somebody else', (token) => {
    expect(makeTokenWorld().tokens.authenticate(token)).toEqual({ kind: 'unknown' });
  });

  it('accepts a token of the old kind as long as its secret holds it', () => {
    const world = makeTokenWorld();
    const token = world.tokens.issueLegacy('n', TEST_ACCOUNT, 's');
    world.put('secrets', 'n/s', { uid: 'u4' }, { data: { token: Buffer.from(token).toString('base64') } });

    const before = world.tokens.authenticate(token);
    world.put('secrets', 'n/s', { uid: 'u4' }, { data: { token: '' } });

    expect(before).toMatchObject({
      kind: 'user',
      user: { name: 'system:serviceaccount:n:bot' },
      audiences: [TEST_ISSUER],
    });
    expect(world.tokens.authenticate(token)).toEqual({
      kind: 'refused',
      message: "Token does not match server's copy",
    });
  });
});

function at(time: string): (world: TokenWorld) => void {
  return (world) => void (world.clock.now = new Date(time));
}

function without(resource: string): (world: TokenWorld) => void {
  return (world) => world.remove(resource);
}

function replacing(resource: string, key: string, metadata: JsonObject): (world: TokenWorld) => void {
  return (world) => world.put(resource, key, metadata);
}

function swapClaims(token: string, claims: JsonObject): string {
  const [header, own = '', signature] = token.split('.');
  const changed = { ...(JSON.parse(Buffer.from(own, 'base64url').toString()) as JsonObject), ...claims };
  return [header, Buffer.from(JSON.stringify(changed)).toString('base64url'), signature].join('.');
}

function swapHeader(token: string, header: JsonObject): string {
  return [Buffer.from(JSON.stringify(header)).toString('base64url'), ...token.split('.').slice(1)].join('.');
}
