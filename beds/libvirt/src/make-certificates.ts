import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

import { makeAuthority, makeCertificate } from '@smalt/libvirt-daemon';

/** Directories with the file names libvirt expects, for right and wrong ends of a TLS connection. */
export interface Certificates {
  /** cacert.pem, servercert.pem, serverkey.pem, clientcert.pem, clientkey.pem: all that belongs together. */
  readonly path: string;
  /** Trusts the server, but its client certificate comes from an authority the server does not know. */
  readonly strangerPath: string;
  /** Does not trust the server: its cacert.pem is another authority. */
  readonly distrustingPath: string;
  /** For a server: a certificate of the right authority, made out to another host. */
  readonly wrongHostPath: string;
}

/** Makes two authorities and what they sign, for a server at a loopback or bed address. */
export async function makeCertificates(directory: string, address: string): Promise<Certificates> {
  const path = join(directory, 'pki');
  const strangerPath = join(directory, 'pki-stranger');
  const distrustingPath = join(directory, 'pki-distrusting');
  const wrongHostPath = join(directory, 'pki-wrong-host');
  await Promise.all([makeAuthority(path, 'Bed authority'), makeAuthority(distrustingPath, 'Other authority')]);
  await Promise.all([
    makeCertificate(path, path, { kind: 'server', names: [`IP:${address}`, 'DNS:localhost'] }),
    makeCertificate(path, path, { kind: 'client' }),
    makeCertificate(path, distrustingPath, { kind: 'client' }),
    makeCertificate(distrustingPath, strangerPath, { kind: 'client' }),
    makeCertificate(path, wrongHostPath, { kind: 'server', names: ['DNS:elsewhere.example'] }),
  ]);
  await copyFile(join(path, 'cacert.pem'), join(strangerPath, 'cacert.pem'));
  await copyFile(join(path, 'cacert.pem'), join(wrongHostPath, 'cacert.pem'));
  return { path, strangerPath, distrustingPath, wrongHostPath };
}
