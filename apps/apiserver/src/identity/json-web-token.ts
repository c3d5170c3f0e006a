import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

import { isJsonObject, parseJson, printJson, type JsonObject } from '@smalt/json';

/** A token that was taken apart; nothing of it is verified. */
export interface ReadToken {
  readonly header: JsonObject;
  readonly claims: JsonObject;
  readonly signed: string;
  readonly signature: Buffer;
}

const PART = /^[A-Za-z0-9_-]+$/;

/** Takes a compact JSON web token apart; undefined when it is none. */
export function readToken(token: string): ReadToken | undefined {
  const parts = token.split('.');
  if (parts.length !== 3 || !parts.every((part) => PART.test(part))) return undefined;
  const [header = '', claims = '', signature = ''] = parts;
  const headerObject = readPart(header);
  const claimsObject = readPart(claims);
  if (headerObject === undefined || claimsObject === undefined) return undefined;
  return {
    header: headerObject,
    claims: claimsObject,
    signed: `${header}.${claims}`,
    signature: Buffer.from(signature, 'base64url'),
  };
}

/** Signs and checks tokens with one key on the curve P-256 (ES256). */
export class TokenSigner {
  /** How the key is named in tokens and in the published set of keys. */
  readonly keyId: string;
  readonly #privateKey: KeyObject;
  readonly #publicKey: KeyObject;

  constructor(privateKeyPem: string) {
    this.#privateKey = createPrivateKey(privateKeyPem);
    this.#publicKey = createPublicKey(this.#privateKey);
    const spki = this.#publicKey.export({ type: 'spki', format: 'der' });
    this.keyId = createHash('sha256').update(spki).digest('base64url');
  }

  sign(claims: JsonObject): string {
    const signed = `${writePart({ alg: 'ES256', kid: this.keyId })}.${writePart(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), { key: this.#privateKey, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  }

  /** Whether this key signed the token. No other algorithm than that of the key is accepted. */
  verify({ header, signed, signature }: ReadToken): boolean {
    if (header['alg'] !== 'ES256' || (header['kid'] !== undefined && header['kid'] !== this.keyId)) return false;
    return verify('sha256', Buffer.from(signed), { key: this.#publicKey, dsaEncoding: 'ieee-p1363' }, signature);
  }

  /** The public key as it is published for others who check tokens. */
  publicKey(): JsonObject {
    const { kty = '', crv = '', x = '', y = '' } = this.#publicKey.export({ format: 'jwk' });
    return { use: 'sig', kty, kid: this.keyId, crv, alg: 'ES256', x, y };
  }
}

function readPart(part: string): JsonObject | undefined {
  try {
    const value = parseJson(Buffer.from(part, 'base64url').toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // Anything can be sent as a token; what is no token is refused as such.
  }
}

function writePart(part: JsonObject): string {
  return Buffer.from(printJson(part)).toString('base64url');
}
