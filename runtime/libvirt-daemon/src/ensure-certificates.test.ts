import { mkdtempDisposable, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { ensureLoopbackCertificates } from './ensure-certificates.ts';

const TEN_YEARS_MS = 3650 * 24 * 3_600_000;

it('makes certificates once, and keeps them', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-pki-'));
  const pki = join(directory.path, 'pki');
  await ensureLoopbackCertificates(pki, new Date());
  const first = await readFile(join(pki, 'servercert.pem'), 'utf8');

  await ensureLoopbackCertificates(pki, new Date());

  expect(await readFile(join(pki, 'servercert.pem'), 'utf8')).toBe(first);
});

it.each(['cakey.pem', 'serverkey.pem', 'clientkey.pem'])('lets nobody but its owner read %s', async (name) => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-pki-'));
  const pki = join(directory.path, 'pki');

  await ensureLoopbackCertificates(pki, new Date());

  expect((await stat(join(pki, name))).mode & 0o777).toBe(0o600);
  expect((await stat(pki)).mode & 0o777).toBe(0o700);
});

it.each([
  { name: 'are about to expire', damage: async () => undefined, now: new Date(Date.now() + TEN_YEARS_MS) },
  {
    name: 'are damaged',
    damage: (pki: string) => writeFile(join(pki, 'clientcert.pem'), 'not a certificate'),
    now: new Date(),
  },
])('makes certificates anew that $name', async ({ damage, now }) => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'smalt-pki-'));
  const pki = join(directory.path, 'pki');
  await ensureLoopbackCertificates(pki, new Date());
  const first = await readFile(join(pki, 'cacert.pem'), 'utf8');
  await damage(pki);

  await ensureLoopbackCertificates(pki, now);

  expect(await readFile(join(pki, 'cacert.pem'), 'utf8')).not.toBe(first);
});
