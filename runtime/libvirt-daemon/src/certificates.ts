import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runProgram } from './run-program.ts';

const OPENSSL = { name: 'openssl', debianPackage: 'openssl' } as const;
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const;
const DAYS = '3650';

/** Who a certificate is made out to; a server by the names and addresses it is reached at. */
export type CertificateHolder =
  | { readonly kind: 'server'; readonly names: readonly string[] }
  | { readonly kind: 'client' };

/** Makes `cacert.pem` and `cakey.pem` in a directory: an authority that signs the certificates of one daemon. */
export async function makeAuthority(directory: string, name: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const extensions = ['basicConstraints=critical,CA:TRUE', 'keyUsage=critical,keyCertSign'];
  const subject = ['-subj', `/CN=${name}`, '-days', DAYS, ...extensions.flatMap((each) => ['-addext', each])];
  const files = ['-keyout', 'cakey.pem', '-out', 'cacert.pem'];
  await runProgram(OPENSSL, ['req', '-x509', ...NEW_KEY, ...subject, ...files], { directory });
  await chmod(join(directory, 'cakey.pem'), 0o600);
}

/**
 * Makes a key and its certificate, signed by the authority in another or the same directory, under the names libvirt
 * expects: `servercert.pem` and `serverkey.pem`, or `clientcert.pem` and `clientkey.pem`. `DNS:` or `IP:` goes before
 * each name.
 */
export async function makeCertificate(
  authorityDirectory: string,
  directory: string,
  holder: CertificateHolder,
): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const { kind } = holder;
  const extensions = [
    'basicConstraints=critical,CA:FALSE',
    'keyUsage=critical,digitalSignature,keyEncipherment',
    `extendedKeyUsage=${kind}Auth`,
    holder.kind === 'server' ? `subjectAltName=${holder.names.join(',')}` : '',
  ];
  const extensionFile = join(directory, `${kind}.ext`);
  await writeFile(extensionFile, `${extensions.join('\n')}\n`);
  const subject = ['-subj', `/CN=smalt-${kind}`, '-keyout', `${kind}key.pem`];
  const input = await runProgram(OPENSSL, ['req', '-new', ...NEW_KEY, ...subject], { directory });
  await chmod(join(directory, `${kind}key.pem`), 0o600);
  const signer = ['-CA', join(authorityDirectory, 'cacert.pem'), '-CAkey', join(authorityDirectory, 'cakey.pem')];
  const files = ['-days', DAYS, '-extfile', extensionFile, '-out', `${kind}cert.pem`];
  await runProgram(OPENSSL, ['x509', '-req', ...signer, ...files], { directory, input });
}
