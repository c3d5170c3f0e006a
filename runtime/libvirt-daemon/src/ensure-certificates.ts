import { X509Certificate } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { makeAuthority, makeCertificate } from './certificates.ts';

const RENEW_BEFORE_MS = 30 * 24 * 3_600_000;
const FILES = ['cacert.pem', 'servercert.pem', 'serverkey.pem', 'clientcert.pem', 'clientkey.pem'];

/**
 * Makes sure that a directory holds an authority, a server and a client certificate for a daemon on loopback, good for
 * another month at least. Made in one step: whoever looks finds all of it or nothing.
 */
export async function ensureLoopbackCertificates(directory: string, now: Date): Promise<void> {
  if (await areGood(directory, now)) return;
  const fresh = `${directory}.new`;
  await rm(fresh, { recursive: true, force: true });
  await makeAuthority(fresh, 'Smalt on this machine');
  await makeCertificate(fresh, fresh, { kind: 'server', names: ['IP:127.0.0.1', 'IP:::1', 'DNS:localhost'] });
  await makeCertificate(fresh, fresh, { kind: 'client' });
  await rm(directory, { recursive: true, force: true });
  await rename(fresh, directory);
}

async function areGood(directory: string, now: Date): Promise<boolean> {
  try {
    const texts = await Promise.all(FILES.map((name) => readFile(join(directory, name), 'utf8')));
    const certificates = texts.filter((_, index) => FILES[index]?.endsWith('cert.pem') === true);
    return certificates.every((text) => {
      const expiresAt = new X509Certificate(text).validToDate.getTime();
      return expiresAt - now.getTime() > RENEW_BEFORE_MS;
    });
  } catch {
    return false; // Missing, unreadable or damaged: to be made anew in any case.
  }
}
