import type { JsonObject } from '@smalt/json';

import { RequestAuthenticator } from './authenticator.ts';
import { makePrivateKey } from './certificate-authority.ts';
import { TokenSigner } from './json-web-token.ts';
import type { LiveObjects } from './live-objects.ts';
import { ServiceAccountTokens, type ObjectReference, type TokenClaims } from './service-account-tokens.ts';
import { StaticTokens } from './static-tokens.ts';

/** Who issues tokens in tests. */
export const TEST_ISSUER = 'https://kubernetes.default.svc';
/** The service account that tests are about; it is in the namespace `n`. */
export const TEST_ACCOUNT: ObjectReference = { name: 'bot', uid: 'u1' };

export interface TokenWorld {
  readonly clock: { now: Date };
  readonly signer: TokenSigner;
  readonly tokens: ServiceAccountTokens;
  readonly authenticator: RequestAuthenticator;
  readonly objects: LiveObjects;
  now(): Date;
  put(resource: string, key: string, metadata: JsonObject, more?: JsonObject): void;
  remove(resource: string): void;
  /** A token for the test account that is good for an hour. */
  issue(more: Partial<TokenClaims>): string;
}

/** Real tokens over a handful of objects and a clock that tests set: what the tests of credentials stand on. */
export function makeTokenWorld(): TokenWorld {
  const stored = fakeObjects();
  const clock = { now: new Date('2026-01-01T00:00:00Z') };
  const now = (): Date => clock.now;
  const signer = new TokenSigner(makePrivateKey());
  const tokens = new ServiceAccountTokens({
    signer,
    issuer: TEST_ISSUER,
    audiences: [TEST_ISSUER],
    objects: stored.objects,
    now,
  });
  const staticTokens = new StaticTokens([['static', { name: 'robot', groups: [], extra: {} }]]);
  const claims: TokenClaims = {
    namespace: 'n',
    serviceAccount: TEST_ACCOUNT,
    audiences: [TEST_ISSUER],
    expirationSeconds: 3_600,
    binding: {},
  };
  return {
    ...stored,
    clock,
    now,
    signer,
    tokens,
    authenticator: new RequestAuthenticator({ staticTokens, serviceAccounts: tokens, now }),
    issue: (more) => tokens.issue({ ...claims, ...more }),
  };
}

function fakeObjects(): Pick<TokenWorld, 'objects' | 'put' | 'remove'> {
  const objects = new Map<string, { readonly value: JsonObject }>();
  const put = (resource: string, key: string, metadata: JsonObject, more: JsonObject = {}): void => {
    objects.set(`${resource}:${key}`, { value: { metadata, ...more } });
  };
  put('serviceaccounts', 'n/bot', { uid: 'u1' });
  put('serviceaccounts', 'n/other', { uid: 'u5' });
  put('pods', 'n/p', { uid: 'u2' }, { spec: { serviceAccountName: 'bot', nodeName: 'n1' } });
  put('nodes', '/n1', { uid: 'u3' });
  return {
    objects: { get: (resource, key) => objects.get(`${resource}:${key}`) },
    put,
    remove: (resource) => {
      for (const key of objects.keys()) if (key.startsWith(`${resource}:`)) objects.delete(key);
    },
  };
}
