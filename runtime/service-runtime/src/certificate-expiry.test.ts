import { execFileSync } from 'node:child_process';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { CertificateExpiry } from './certificate-expiry.ts';
import { MetricsRegistry } from './metrics-registry.ts';

const SERIES = /^smalt_tls_certificate_expiry_seconds\{certificate="virt-api"\} (\d+)$/m;

it('tells when the first certificate of a PEM expires, and nothing before there is one', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-expiry-'));
  const [shown, authority] = [await certificate(directory.path, 30), await certificate(directory.path, 3_650)];
  const metrics = new MetricsRegistry();
  const expiry = new CertificateExpiry(metrics, 'virt-api');

  const before = metrics.expose();
  expiry.tellOf(`${shown}${authority}`);

  expect(before).not.toMatch(SERIES);
  const daysLeft = (Number(SERIES.exec(metrics.expose())?.[1]) - Date.now() / 1000) / 86_400;
  expect(daysLeft).toBeCloseTo(30, 1);
});

it('tells the last end that it was given', () => {
  const metrics = new MetricsRegistry();
  const expiry = new CertificateExpiry(metrics, 'virt-api');

  for (const seconds of [2_000_000, 1_000_000]) expiry.tell(new Date(seconds * 1000 + 999));

  expect(SERIES.exec(metrics.expose())?.[1]).toBe('1000000');
});

async function certificate(directory: string, days: number): Promise<string> {
  const [key, file] = [join(directory, 'key.pem'), join(directory, `${days}.pem`)];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=x'];
  execFileSync('openssl', ['req', ...kind, '-days', String(days), '-keyout', key, '-out', file], { stdio: 'ignore' });
  return await readFile(file, 'utf8');
}
