import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ScramName, ScramMechanism } from './scram.ts';

const RFC_7677 = {
  name: 'SCRAM-SHA-256',
  nonce: 'rOprNGfwEbeRWgbNEkqO',
  clientFirst: 'n,,n=user,r=rOprNGfwEbeRWgbNEkqO',
  serverFirst: 'r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096',
  clientFinal:
    'c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=',
  serverFinal: 'v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=',
} as const;

const RFC_5802 = {
  name: 'SCRAM-SHA-1',
  nonce: 'fyko+d2lbbFgONRv9qkxdawL',
  clientFirst: 'n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL',
  serverFirst: 'r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096',
  clientFinal: 'c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=',
  serverFinal: 'v=rmF9pqV8S7suAoZWja4dJRkFsKQ=',
} as const;

describe('ScramMechanism', () => {
  it.each([RFC_7677, RFC_5802])('says word for word what the RFC says, for $name', async (vector) => {
    const scram = new ScramMechanism(vector.name, { username: 'user', password: 'pencil' }, vector.nonce);

    const first = scram.start();
    const final = await scram.step(Buffer.from(vector.serverFirst));
    const verdict = await scram.step(Buffer.from(vector.serverFinal));

    expect(first.data?.toString()).toBe(vector.clientFirst);
    expect(final.data?.toString()).toBe(vector.clientFinal);
    expect([first.isDone, final.isDone]).toEqual([false, false]);
    expect(verdict).toEqual({ data: undefined, isDone: true });
  });

  it('is convinced by every server that knows the password, and by no other', async () => {
    await fc.assert(
      fc.asyncProperty(exchange(), async ({ name, username, password, salt, serverNonce, knowsPassword }) => {
        const scram = new ScramMechanism(name, { username, password }, 'clientnonce');
        const server = new ScramServer(name, knowsPassword ? password : `${password}x`, salt, serverNonce);

        const final = await scram.step(server.first(scram.start().data));
        const verdict = await scram.step(server.final(final.data)).catch((error: unknown) => error);

        expect(verdict).toMatchObject(knowsPassword ? { isDone: true } : { code: 'authentication' });
        expect(server.acceptsProof).toBe(knowsPassword);
        expect(server.username).toBe(username);
      }),
      { numRuns: 20 },
    );
  });

  it.each([
    ['r=other,s=QSXCR+Q6sek8bf92,i=4096', 'nonce'],
    ['r=nonce,s=QSXCR+Q6sek8bf92,i=4096', 'nonce'],
    ['r=nonce1,s=QSXCR+Q6sek8bf92,i=1', '1 iterations'],
    ['r=nonce1,s=QSXCR+Q6sek8bf92,i=1000001', '1000001 iterations'],
    ['r=nonce1,s=QSXCR+Q6sek8bf92,i=99999999999', 'iterations'],
    ['r=nonce1,s=!!,i=4096', 'malformed'],
    ['r=nonce1,i=4096', 'malformed'],
    ['m=1,r=nonce1,s=QSXCR+Q6sek8bf92,i=4096', 'extension'],
    ['', 'malformed'],
  ])('refuses the first server message %s', async (serverFirst, message) => {
    const scram = new ScramMechanism('SCRAM-SHA-256', { username: 'user', password: 'pencil' }, 'nonce');

    const answer = scram.step(Buffer.from(serverFirst));

    await expect(answer).rejects.toMatchObject({ code: 'protocol', message: expect.stringContaining(message) });
  });

  it.each([
    ['v=AAAA', 'authentication'],
    ['e=invalid-proof', 'authentication'],
    ['v=', 'protocol'],
    ['', 'protocol'],
  ])('refuses the last server message %s', async (serverFinal, code) => {
    const scram = new ScramMechanism('SCRAM-SHA-256', { username: 'user', password: 'pencil' }, RFC_7677.nonce);
    await scram.step(Buffer.from(RFC_7677.serverFirst));

    const verdict = scram.step(Buffer.from(serverFinal));

    await expect(verdict).rejects.toMatchObject({ code, message: expect.not.stringContaining('pencil') });
  });

  it('does not take silence for a verdict', async () => {
    const scram = new ScramMechanism('SCRAM-SHA-256', { username: 'user', password: 'pencil' }, RFC_7677.nonce);
    await scram.step(Buffer.from(RFC_7677.serverFirst));

    await expect(scram.step(undefined)).rejects.toMatchObject({ code: 'protocol' });
  });
});

/** The other side of the exchange, written from the RFC and not from the client. */
class ScramServer {
  readonly #hash: string;
  readonly #salted: Buffer;
  readonly #challenge: string;
  #clientFirstBare = '';
  #first = '';
  acceptsProof = false;
  username = '';

  constructor(name: ScramName, password: string, salt: Uint8Array, nonce: string) {
    this.#hash = name.replace('SCRAM-', '').replace('-', '').toLowerCase();
    const size = createHash(this.#hash).digest().length;
    this.#salted = pbkdf2Sync(password.normalize('NFKC'), salt, 4096, size, this.#hash);
    this.#challenge = `${nonce},s=${Buffer.from(salt).toString('base64')},i=4096`;
  }

  first(clientFirst: Buffer | undefined): Buffer {
    const text = clientFirst?.toString() ?? '';
    this.#clientFirstBare = text.slice('n,,'.length);
    const [, user = '', nonce = ''] = /^n,,n=([^,]*),r=(.*)$/.exec(text) ?? [];
    this.username = user.replaceAll('=2C', ',').replaceAll('=3D', '=');
    this.#first = `r=${nonce}${this.#challenge}`;
    return Buffer.from(this.#first);
  }

  final(clientFinal: Buffer | undefined): Buffer {
    const [, withoutProof = '', proof = ''] = /^(.*),p=(.*)$/.exec(clientFinal?.toString() ?? '') ?? [];
    const message = `${this.#clientFirstBare},${this.#first},${withoutProof}`;
    const stored = createHash(this.#hash).update(this.#hmac(this.#salted, 'Client Key')).digest();
    const signature = this.#hmac(stored, message);
    const clientKey = Buffer.from(proof, 'base64').map((byte, index) => byte ^ (signature[index] ?? 0));
    this.acceptsProof = createHash(this.#hash).update(clientKey).digest().equals(stored);
    return Buffer.from(`v=${this.#hmac(this.#hmac(this.#salted, 'Server Key'), message).toString('base64')}`);
  }

  #hmac(key: Buffer, text: string): Buffer {
    return createHmac(this.#hash, key).update(text).digest();
  }
}

function exchange(): fc.Arbitrary<{
  name: ScramName;
  username: string;
  password: string;
  salt: Uint8Array;
  serverNonce: string;
  knowsPassword: boolean;
}> {
  return fc.record({
    name: fc.constantFrom<ScramName>('SCRAM-SHA-512', 'SCRAM-SHA-256', 'SCRAM-SHA-1'),
    username: fc.string({ minLength: 1 }),
    password: fc.string({ minLength: 1 }),
    salt: fc.uint8Array({ minLength: 8, maxLength: 24 }),
    serverNonce: fc.stringMatching(/^[!-+\--~]{1,20}$/),
    knowsPassword: fc.boolean(),
  });
}
