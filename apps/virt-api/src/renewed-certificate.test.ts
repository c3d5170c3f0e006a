import { fieldOf } from '@smalt/kubernetes-callers';
import { expect, it } from 'vitest';

import { startServedBed } from './fixtures/served-bed.ts';

const SECRET = '/api/v1/namespaces/smalt-system/secrets/smalt-virt-api-certificate';
const NOTHING = JSON.stringify({ data: { 'tls.crt': '', 'tls.key': '', 'ca.crt': '' } });

it('makes the certificate anew where the Secret holds nothing of use', { timeout: 120_000 }, async () => {
  await using bed = await startServedBed(AbortSignal.timeout(110_000));
  const contentType = 'application/merge-patch+json';
  await bed.admin.request({ method: 'PATCH', path: SECRET, contentType, body: NOTHING });

  const replica = await bed.replica();

  expect(replica.port).toBeGreaterThan(0);
  const secret = await bed.admin.request({ method: 'GET', path: SECRET });
  const certificate = Buffer.from(String(fieldOf(fieldOf(secret, 'data'), 'tls.crt')), 'base64').toString('utf8');
  expect(certificate).toContain('BEGIN CERTIFICATE');
});
