import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

import { isJsonObject, parseJson } from '@smalt/json';

import type { Session } from './session.ts';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const MOST_PLAIN_BYTES = 65_536;
/** Goes into each seal, so that a later form of it is not taken for this one. */
const FORM = Buffer.from('smalt-session-1');

/** Turns sessions into text that nobody else can read or make, and back. */
export class SessionSeal {
  readonly #key: Buffer;

  /** The key has 32 bytes. */
  constructor(key: Buffer) {
    this.#key = key;
  }

  seal(session: Session): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(FORM);
    // A token is base64, a third longer than need be; cookies end at 4 KiB.
    const plain = deflateRawSync(JSON.stringify([session.id, session.token, session.expiresAt]));
    const sealed = Buffer.concat([cipher.update(plain), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** The session of a text; undefined for whatever this key did not seal. */
  open(text: string): Session | undefined {
    const bytes = Buffer.from(text, 'base64url');
    if (bytes.length <= NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const cipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(FORM)
      .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    try {
      const packed = Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), cipher.final()]);
      return readSession(inflateRawSync(packed, { maxOutputLength: MOST_PLAIN_BYTES }).toString('utf8'));
    } catch {
      // Of another key, or tampered with: the answer is the same, and says nothing of which.
      return undefined;
    }
  }
}

function readSession(text: string): Session | undefined {
  const value = parseJson(text);
  if (!Array.isArray(value) || isJsonObject(value)) return undefined;
  const [id, token, expiresAt] = value;
  if (typeof id !== 'string' || typeof token !== 'string' || typeof expiresAt !== 'number') return undefined;
  return { id, token, expiresAt };
}
