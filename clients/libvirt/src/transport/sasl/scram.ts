import { createHash, createHmac, pbkdf2, timingSafeEqual } from 'node:crypto';
import { LibvirtError } from '../../libvirt-error.ts';
import { prepareSaslText } from './prepare-sasl-text.ts';
import type { Credentials, SaslMechanism, SaslResponse } from './sasl-mechanism.ts';

const SCRAM_HASHES = {
  'SCRAM-SHA-512': 'sha512',
  'SCRAM-SHA-256': 'sha256',
  'SCRAM-SHA-1': 'sha1',
} as const;

export type ScramName = keyof typeof SCRAM_HASHES;

/** The mechanisms of this family, the strongest first. */
export const scramNames: readonly ScramName[] = ['SCRAM-SHA-512', 'SCRAM-SHA-256', 'SCRAM-SHA-1'];

/** No channel binding, no other identity. */
const GS2_HEADER = 'n,,';
const MIN_ITERATIONS = 4_096;
/** Keeps a hostile daemon from holding a processor busy: this many take about a second. */
const MAX_ITERATIONS = 1_000_000;

// Not imported: an import of the module runs all its getters, which load worker threads.
const { promisify } = process.getBuiltinModule('node:util');
const deriveKey = promisify(pbkdf2);

interface Challenge {
  readonly nonce: string;
  readonly salt: Buffer;
  readonly iterations: number;
}

type State =
  | { readonly kind: 'challenge' }
  | { readonly kind: 'verdict'; readonly serverSignature: Buffer }
  | { readonly kind: 'done' };

/**
 * SCRAM (RFC 5802, RFC 7677): proves that the client knows the password without sending it, and checks that the
 * daemon knows it too.
 */
export class ScramMechanism implements SaslMechanism {
  readonly name: ScramName;
  readonly #clientFirstBare: string;
  readonly #clientNonce: string;
  readonly #password: string;
  #state: State = { kind: 'challenge' };

  /** `nonce` is printable ASCII without commas and must never be used twice. */
  constructor(name: ScramName, credentials: Credentials, nonce: string) {
    const username = prepareSaslText(credentials.username, 'username');
    this.name = name;
    this.#password = prepareSaslText(credentials.password, 'password');
    this.#clientNonce = nonce;
    this.#clientFirstBare = `n=${username.replaceAll('=', '=3D').replaceAll(',', '=2C')},r=${nonce}`;
  }

  start(): SaslResponse {
    return { data: Buffer.from(GS2_HEADER + this.#clientFirstBare), isDone: false };
  }

  async step(challenge: Uint8Array | undefined): Promise<SaslResponse> {
    const text = Buffer.from(challenge ?? []).toString('utf8');
    const state = this.#state;
    if (state.kind === 'challenge') return this.#answer(text);
    if (state.kind === 'verdict') this.#verify(text, state.serverSignature);
    else if (text !== '') throw this.#broken('the daemon goes on after its verdict');
    this.#state = { kind: 'done' };
    return { data: undefined, isDone: true };
  }

  async #answer(serverFirst: string): Promise<SaslResponse> {
    const { nonce, salt, iterations } = this.#parseChallenge(serverFirst);
    const hash = SCRAM_HASHES[this.name];
    const size = createHash(hash).digest().length;
    const saltedPassword = await deriveKey(this.#password, salt, iterations, size, hash);
    const clientKey = hmac(hash, saltedPassword, 'Client Key');
    const storedKey = createHash(hash).update(clientKey).digest();
    const withoutProof = `c=${Buffer.from(GS2_HEADER).toString('base64')},r=${nonce}`;
    const authMessage = `${this.#clientFirstBare},${serverFirst},${withoutProof}`;
    const proof = exclusiveOr(clientKey, hmac(hash, storedKey, authMessage));
    const serverKey = hmac(hash, saltedPassword, 'Server Key');
    this.#state = { kind: 'verdict', serverSignature: hmac(hash, serverKey, authMessage) };
    return { data: Buffer.from(`${withoutProof},p=${proof.toString('base64')}`), isDone: false };
  }

  #parseChallenge(text: string): Challenge {
    const match =
      /^r=(?<nonce>[\x21-\x2b\x2d-\x7e]+),s=(?<salt>[A-Za-z0-9+/]+=*),i=(?<iterations>[1-9]\d*)(,.*)?$/s.exec(text);
    if (text.startsWith('m=')) throw this.#broken('the daemon asks for an extension that this client does not know');
    if (!match?.groups) throw this.#broken('the first message of the daemon is malformed');
    const { nonce = '', salt = '' } = match.groups;
    const iterations = Number(match.groups['iterations']);
    if (!nonce.startsWith(this.#clientNonce) || nonce.length === this.#clientNonce.length) {
      throw this.#broken('the daemon answers with a nonce that does not continue ours');
    }
    if (iterations < MIN_ITERATIONS || iterations > MAX_ITERATIONS) {
      throw this.#broken(`${iterations} iterations are outside ${MIN_ITERATIONS} to ${MAX_ITERATIONS}`);
    }
    return { nonce, salt: Buffer.from(salt, 'base64'), iterations };
  }

  #verify(text: string, expected: Buffer): void {
    const failure = /^e=([^,]*)/.exec(text);
    if (failure) {
      throw new LibvirtError('authentication', `${this.name}: the daemon refused the user: ${failure[1] ?? ''}`);
    }
    const match = /^v=([A-Za-z0-9+/]+=*)(,.*)?$/s.exec(text);
    if (!match) throw this.#broken('the last message of the daemon is malformed');
    const signature = Buffer.from(match[1] ?? '', 'base64');
    if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) {
      throw new LibvirtError(
        'authentication',
        `${this.name}: the daemon does not know the password either: it may be an impostor`,
      );
    }
  }

  #broken(what: string): LibvirtError {
    return new LibvirtError('protocol', `${this.name}: ${what}`);
  }
}

function hmac(hash: string, key: Buffer, text: string): Buffer {
  return createHmac(hash, key).update(text).digest();
}

function exclusiveOr(left: Buffer, right: Buffer): Buffer {
  return Buffer.from(left.map((byte, index) => byte ^ (right[index] ?? 0)));
}
