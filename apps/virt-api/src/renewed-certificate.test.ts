import { X509Certificate } from 'node:crypto';

import { systemClock } from '@smalt/controller-runtime';
import { fieldOf } from '@smalt/kubernetes-callers';
import { MetricsRegistry } from '@smalt/service-runtime';
import { expect, it } from 'vitest';

import { startServedBed, type ServedBed } from './fixtures/served-bed.ts';

const SECRET = '/api/v1/namespaces/smalt-system/secrets/smalt-virt-api-certificate';
const BINDINGS = '/apis/rbac.authorization.k8s.io/v1/namespaces/smalt-system/rolebindings';
const BINDING = JSON.stringify({
  metadata: { name: 'smalt-virt-api-certificate' },
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'smalt-virt-api-certificate' },
  subjects: [{ kind: 'ServiceAccount', name: 'smalt-virt-api', namespace: 'smalt-system' }],
});
const NOTHING = JSON.stringify({ data: { 'tls.crt': '', 'tls.key': '', 'ca.crt': '' } });

it('makes the certificate anew where the Secret holds nothing of use', { timeout: 120_000 }, async () => {
  await using bed = await startServedBed(AbortSignal.timeout(110_000));
  const contentType = 'application/merge-patch+json';
  await bed.admin.request({ method: 'PATCH', path: SECRET, contentType, body: NOTHING });

  const replica = await bed.replica();

  expect(replica.port).toBeGreaterThan(0);
  expect(await certificateIn(bed)).toContain('BEGIN CERTIFICATE');
});

it('tells when its certificate expires, and while it cannot care for it', { timeout: 120_000 }, async () => {
  await using bed = await startServedBed(AbortSignal.timeout(110_000));
  const metrics = new MetricsRegistry();
  const clock = { ...systemClock, wait: (_: number, signal: AbortSignal) => systemClock.wait(20, signal) };
  const caredFor = (): string | undefined => /^smalt_virt_api_certificate_cared_for (\d)$/m.exec(metrics.expose())?.[1];
  await using _replica = await bed.replica({ metrics, clock });
  const seconds = new X509Certificate(await certificateIn(bed)).validToDate.getTime() / 1000;

  expect(metrics.expose()).toContain(`smalt_tls_certificate_expiry_seconds{certificate="virt-api"} ${seconds}\n`);
  expect(caredFor()).toBe('1');
  await bed.admin.request({ method: 'DELETE', path: `${BINDINGS}/smalt-virt-api-certificate` });
  await expect.poll(caredFor, { timeout: 30_000 }).toBe('0');
  await bed.admin.request({ method: 'POST', path: BINDINGS, body: BINDING });
  await expect.poll(caredFor, { timeout: 30_000 }).toBe('1');
});

async function certificateIn({ admin }: ServedBed): Promise<string> {
  const secret = await admin.request({ method: 'GET', path: SECRET });
  return Buffer.from(String(fieldOf(fieldOf(secret, 'data'), 'tls.crt')), 'base64').toString('utf8');
}
