import type { JsonObject } from '@smalt/json';

import type { TokenSigner } from './json-web-token.ts';

/** What `/.well-known/openid-configuration` answers: who issues service account tokens, and where its keys are. */
export function openidConfiguration(issuer: string, keysUrl: string): JsonObject {
  return {
    issuer,
    jwks_uri: keysUrl,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
}

/** What `/openid/v1/jwks` answers: the keys with which tokens are signed. */
export function publicKeySet(signer: TokenSigner): JsonObject {
  return { keys: [signer.publicKey()] };
}
