import { expect, it } from 'vitest';

import { certificateCondition, expiryOf, type CertificateState } from './certificate-condition.ts';

const AT = new Date('2026-02-01T00:00:00Z');

it.each<[CertificateState, string, string, string]>([
  [{ kind: 'waiting', secret: 'ns/tls' }, 'False', 'Installing', 'Waiting for the Secret ns/tls'],
  [{ kind: 'installing' }, 'False', 'Installing', 'Installing TLS certificate from Secret'],
  [
    { kind: 'refused', why: 'no key' },
    'False',
    'FailedToUpdateTLSCertificate',
    'Failed to update TLS certificate: no key',
  ],
  [
    { kind: 'not-reloaded', why: 'no unit' },
    'False',
    'FailedToStartUpdateTLSService',
    'Installed the TLS certificate, but the daemon still uses the old one: no unit',
  ],
  [{ kind: 'ready', isNew: true }, 'True', 'Ready', 'TLS certificate is ready and updated'],
  [{ kind: 'ready', isNew: false }, 'True', 'Ready', 'TLS certificate is ready and up to date'],
  [
    { kind: 'ready', isNew: false, expiry: { at: AT, isNear: false } },
    'True',
    'Ready',
    'TLS certificate is ready and up to date',
  ],
  [
    { kind: 'ready', isNew: false, orphaned: 'ns/tls', expiry: { at: AT, isNear: true } },
    'True',
    'Ready',
    'TLS certificate is ready and up to date; its Secret ns/tls is gone, so it will not be renewed; ' +
      'it expires at 2026-02-01T00:00:00.000Z and has not been renewed',
  ],
])('says of %j: %s, %s', (state, status, reason, message) => {
  expect(certificateCondition(state)).toEqual({ type: 'TLSCertificateInstalled', status, reason, message });
});

it.each([
  ['2026-01-20T00:00:00Z', false],
  ['2026-01-29T23:00:00Z', true],
  ['2026-03-01T00:00:00Z', true],
])('finds the end near in the last tenth of a life: %s', (now, isNear) => {
  const life = { validFromDate: new Date('2026-01-01T00:00:00Z'), validToDate: AT };

  expect(expiryOf(life, new Date(now))).toEqual({ at: AT, isNear });
});
