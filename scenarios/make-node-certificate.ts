import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const;

/** Makes an authority in a directory: `ca.pem` and `ca-key.pem`. */
export function makeAuthority(directory: string): void {
  const files = ['-keyout', join(directory, 'ca-key.pem'), '-out', join(directory, 'ca.pem')];
  const subject = ['-subj', '/CN=HA authority', '-days', '30', '-addext', 'keyUsage=critical,keyCertSign'];
  openssl(['req', '-x509', ...NEW_KEY, ...subject, ...files]);
}

/** Makes `NAME.pem` and `NAME-key.pem`, signed by the authority: for the service at loopback, and for nodes. */
export function makeNodeCertificate(
  directory: string,
  name: string,
  commonName: string = name,
  names: string = 'IP:127.0.0.1',
): void {
  const extensions = join(directory, `${name}.ext`);
  writeFileSync(extensions, `subjectAltName=${names}\nextendedKeyUsage=serverAuth,clientAuth\n`);
  const request = join(directory, `${name}.csr`);
  openssl([
    'req',
    '-new',
    ...NEW_KEY,
    '-subj',
    `/CN=${commonName}`,
    '-keyout',
    join(directory, `${name}-key.pem`),
    '-out',
    request,
  ]);
  const signer = ['-CA', join(directory, 'ca.pem'), '-CAkey', join(directory, 'ca-key.pem'), '-CAcreateserial'];
  openssl([
    'x509',
    '-req',
    '-in',
    request,
    ...signer,
    '-days',
    '30',
    '-extfile',
    extensions,
    '-out',
    join(directory, `${name}.pem`),
  ]);
}

function openssl(words: readonly string[]): void {
  execFileSync('openssl', words, { stdio: 'pipe' });
}
