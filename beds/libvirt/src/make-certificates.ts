import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runProgram } from './run-program.ts';

const OPENSSL = { name: 'openssl', debianPackage: 'openssl' } as const;
const DAYS = '30';
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const;

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
  for (const each of [path, strangerPath, distrustingPath, wrongHostPath]) await mkdir(each, { recursive: true });
  await Promise.all([makeAuthority(path, 'Bed authority'), makeAuthority(distrustingPath, 'Other authority')]);
  await Promise.all([
    makeCertificate(path, path, { kind: 'server', names: `IP:${address},DNS:localhost` }),
    makeCertificate(path, path, { kind: 'client' }),
    makeCertificate(path, distrustingPath, { kind: 'client' }),
    makeCertificate(distrustingPath, strangerPath, { kind: 'client' }),
    makeCertificate(path, wrongHostPath, { kind: 'server', names: 'DNS:elsewhere.example' }),
  ]);
  await copyFile(join(path, 'cacert.pem'), join(strangerPath, 'cacert.pem'));
  await copyFile(join(path, 'cacert.pem'), join(wrongHostPath, 'cacert.pem'));
  return { path, strangerPath, distrustingPath, wrongHostPath };
}

async function makeAuthority(directory: string, name: string): Promise<void> {
  const extensions = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign'];
  const subject = ['-subj', `/CN=${name}`, '-days', DAYS, ...extensions.flatMap((each) => ['-addext', each])];
  const files = ['-keyout', 'cakey.pem', '-out', 'cacert.pem'];
  await runProgram(OPENSSL, ['req', '-x509', ...NEW_KEY, ...subject, ...files], { directory });
}

type Holder = { readonly kind: 'server'; readonly names: string } | { readonly kind: 'client' };

async function makeCertificate(authority: string, directory: string, holder: Holder): Promise<void> {
  const { kind } = holder;
  const extensions = [
    'basicConstraints=critical,CA:FALSE',
    'keyUsage=critical,digitalSignature,keyEncipherment',
    `extendedKeyUsage=${kind}Auth`,
    holder.kind === 'server' ? `subjectAltName=${holder.names}` : '',
  ];
  const extensionFile = join(directory, `${kind}.ext`);
  await writeFile(extensionFile, `${extensions.join('\n')}\n`);
  const subject = ['-subj', `/CN=bed-${kind}`, '-keyout', `${kind}key.pem`];
  const input = await runProgram(OPENSSL, ['req', '-new', ...NEW_KEY, ...subject], { directory });
  const signer = ['-CA', join(authority, 'cacert.pem'), '-CAkey', join(authority, 'cakey.pem'), '-days', DAYS];
  const files = ['-extfile', extensionFile, '-out', `${kind}cert.pem`];
  await runProgram(OPENSSL, ['x509', '-req', ...signer, ...files], { directory, input });
}
