import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { assert, property, string, uint8Array } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checkSecret } from './check-secret.ts';
import { TestAuthority } from './test-authority.ts';

const DAY_MS = 24 * 3_600_000;
/** Later than all that the tests make. */
const NOW = new Date(Date.now() + 3_600_000);

let directory: string;
let good: Readonly<Record<string, string>>;
let other: Readonly<Record<string, string>>;
let stranger: Readonly<Record<string, string>>;
let serverOnly: Readonly<Record<string, string>>;
let delegated: Readonly<Record<string, string>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'smalt-check-secret-'));
  const authority = await TestAuthority.make(join(directory, 'ours'));
  const strange = await TestAuthority.make(join(directory, 'strange'));
  good = await authority.issue({ names: ['DNS:node-1', 'IP:192.0.2.1'] });
  other = await authority.issue({ names: ['DNS:node-2'] });
  stranger = await strange.issue();
  delegated = await (await authority.delegate(join(directory, 'delegate'))).issue();
  serverOnly = await authority.issue({ usages: ['serverAuth'] });
});

afterAll(async () => rm(directory, { recursive: true, force: true }));

describe('checkSecret', () => {
  it('takes a certificate that is complete, valid, and made out to the host by name and address', () => {
    const verdict = checkSecret({ data: good }, { hostNames: ['node-1', '192.0.2.1'], now: NOW });

    expect(verdict).toMatchObject({ kind: 'good', leaf: { subject: 'CN=leaf-0' } });
  });

  it.each([
    ['nothing at all', () => undefined, 'missing data for secret key ca.crt'],
    ['no authority', () => ({ ...good, 'ca.crt': '' }), 'missing data for secret key ca.crt'],
    ['no certificate', () => without('tls.crt'), 'missing data for secret key tls.crt'],
    ['no key', () => without('tls.key'), 'missing data for secret key tls.key'],
    [
      'text for a certificate',
      () => ({ ...good, 'tls.crt': base64('hello') }),
      'tls.crt holds no certificate in PEM form',
    ],
    ['a damaged certificate', () => ({ ...good, 'tls.crt': base64(DAMAGED) }), 'tls.crt holds a damaged certificate'],
    ['a damaged authority', () => ({ ...good, 'ca.crt': base64(DAMAGED) }), 'ca.crt holds a damaged certificate'],
    ['text for a key', () => ({ ...good, 'tls.key': base64('hello') }), 'tls.key holds no private key'],
    ['the key of another', () => ({ ...good, 'tls.key': other['tls.key'] ?? '' }), 'tls.key is not the key of'],
    ['the name of another', () => other, 'not made out to node-1, but to DNS:node-2'],
    ['another authority', () => ({ ...good, 'ca.crt': stranger['ca.crt'] ?? '' }), 'does not lead to an authority'],
    ['one for servers alone', () => serverOnly, 'may not be used for client auth'],
  ])('refuses %s and says why', (_, data, why) => {
    const verdict = checkSecret({ ...(data() && { data: data() ?? {} }) }, { hostNames: ['node-1'], now: NOW });

    expect(verdict).toEqual({ kind: 'bad', why: expect.stringContaining(why) });
  });

  it.each([
    ['has expired', 31, /^the certificate in tls.crt has expired at 20/],
    ['is not valid yet', -1, /^the certificate in tls.crt is not valid before 20/],
  ])('refuses one that %s', (_, days, why) => {
    const now = new Date(NOW.getTime() + days * DAY_MS);

    expect(checkSecret({ data: good }, { hostNames: [], now })).toMatchObject({ why: expect.stringMatching(why) });
  });

  it('follows a chain over certificates that come with the leaf, and finds the authority in a bundle', () => {
    const bundle = Buffer.concat([text(stranger, 'ca.crt'), text(good, 'ca.crt')]).toString('base64');
    const chain = Buffer.concat([text(delegated, 'tls.crt'), text(delegated, 'ca.crt')]).toString('base64');

    const whole = checkSecret(
      { data: { ...delegated, 'ca.crt': bundle, 'tls.crt': chain } },
      { hostNames: [], now: NOW },
    );
    const broken = checkSecret({ data: { ...delegated, 'ca.crt': bundle } }, { hostNames: [], now: NOW });

    expect([whole.kind, broken]).toEqual([
      'good',
      { kind: 'bad', why: 'the certificate in tls.crt does not lead to an authority in ca.crt' },
    ]);
  });

  it('never throws and never shows the key, whatever the Secret holds', () => {
    assert(
      property(uint8Array(), string(), (bytes, words) => {
        const key = `-----BEGIN PRIVATE KEY-----\n${Buffer.from(bytes).toString('base64')}SECRET\n-----END PRIVATE KEY-----`;
        const data = { ...good, 'tls.crt': base64(words), 'tls.key': base64(key) };

        const verdicts = [
          checkSecret({ data }, { hostNames: [], now: NOW }),
          checkSecret({ data: { ...good, 'tls.key': base64(key) } }, { hostNames: [], now: NOW }),
        ];

        expect(JSON.stringify(verdicts)).not.toContain('SECRET');
        expect(verdicts.map(({ kind }) => kind)).toEqual(['bad', 'bad']);
      }),
    );
  });
});

const DAMAGED = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

function without(name: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
}

function text(data: Readonly<Record<string, string>>, name: string): Buffer {
  return Buffer.from(data[name] ?? '', 'base64');
}

function base64(words: string): string {
  return Buffer.from(words).toString('base64');
}
