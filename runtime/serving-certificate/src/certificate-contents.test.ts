import { X509Certificate } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { decideCertificate, renewCertificate, type CertificateContents } from './certificate-contents.ts';

const DAY_MS = 86_400_000;
const START = new Date('2026-01-01T00:00:00Z');
const owner = 'smalt-virt-api';
const names = ['virt-api.smalt-system.svc', '127.0.0.1'];
const made = renewCertificate(undefined, 'renew-authority', { owner, names, now: START });

describe('decideCertificate', () => {
  it.each([
    { what: 'there is none', found: undefined, day: 0, decision: 'renew-authority' },
    { what: 'it is new', found: made, day: 0, decision: 'keep' },
    { what: 'it has a month left', found: made, day: 59, decision: 'keep' },
    { what: 'it has less', found: made, day: 61, decision: 'renew-certificate' },
    { what: 'it has ended', found: made, day: 400, decision: 'renew-certificate' },
    { what: 'the authority has less than a year left', found: made, day: 3_300, decision: 'renew-authority' },
    { what: 'it cannot be read', found: { ...made, certificate: 'x' }, day: 0, decision: 'renew-authority' },
    { what: 'its key is another', found: { ...made, key: made.authorityKey }, day: 0, decision: 'renew-certificate' },
    {
      what: 'the authority has another key',
      found: { ...made, authorityKey: made.key },
      day: 0,
      decision: 'renew-authority',
    },
  ])('is $decision where $what', ({ found, day, decision }) => {
    expect(decideCertificate(found, { owner, names, now: dayAfter(day) })).toBe(decision);
  });

  it('renews one that is for other names', () => {
    expect(decideCertificate(made, { owner, names: ['other.svc'], now: START })).toBe('renew-certificate');
    expect(decideCertificate(made, { owner, names: ['127.0.0.2'], now: START })).toBe('renew-certificate');
  });
});

describe('renewCertificate', () => {
  it('makes one that the authority vouches for, in all names', () => {
    const certificate = new X509Certificate(made.certificate);

    expect(certificate.verify(new X509Certificate(made.authorities).publicKey)).toBe(true);
    expect([certificate.checkHost(names[0] ?? ''), certificate.checkIP('127.0.0.1')]).toEqual(names);
    expect([certificate.ca, new X509Certificate(made.authorities).ca]).toEqual([false, true]);
  });

  it('keeps the authority when only the certificate is due', () => {
    const renewed = renewCertificate(made, 'renew-certificate', { owner, names, now: dayAfter(61) });

    expect(renewed.authorities).toBe(made.authorities);
    expect(decideCertificate(renewed, { owner, names, now: dayAfter(61) })).toBe('keep');
  });

  it('puts a new authority in front of the old one, and forgets the one before that', () => {
    const second = renewCertificate(made, 'renew-authority', { owner, names, now: dayAfter(3_300) });
    const third = renewCertificate(second, 'renew-authority', { owner, names, now: dayAfter(6_600) });

    expect([count(made), count(second), count(third)]).toEqual([1, 2, 2]);
    expect(second.authorities).toContain(made.authorities.trim());
    expect(third.authorities).not.toContain(made.authorities.trim());
    expect(decideCertificate(third, { owner, names, now: dayAfter(6_600) })).toBe('keep');
  });
});

function dayAfter(days: number): Date {
  return new Date(START.getTime() + days * DAY_MS);
}

function count({ authorities }: CertificateContents): number {
  return authorities.match(/BEGIN CERTIFICATE/g)?.length ?? 0;
}
