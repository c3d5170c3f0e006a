import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runProgram } from '@smalt/libvirt-daemon';

const OPENSSL = { name: 'openssl', debianPackage: 'openssl' } as const;
const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'] as const;
const DAYS = '3650';

/** The files of a certificate. */
export interface Identity {
  readonly certificatePath: string;
  readonly keyPath: string;
}

/** Whom a certificate is made out to. */
export interface Holder {
  readonly user: string;
  readonly group?: string | undefined;
  /** What it serves under, if it serves; `DNS:` or `IP:` goes before each name. */
  readonly names?: readonly string[] | undefined;
}

/** Makes a certificate for a user of the cluster, signed by the authority in the directory. */
export async function makeIdentity(directory: string, file: string, holder: Holder): Promise<Identity> {
  const paths = { certificatePath: join(directory, `${file}.crt`), keyPath: join(directory, `${file}.key`) };
  const extensions = join(directory, `${file}.ext`);
  await writeFile(extensions, `${extensionLines(holder).join('\n')}\n`);
  const group = holder.group === undefined ? '' : `/O=${holder.group}`;
  const subject = ['-subj', `${group}/CN=${holder.user}`, '-keyout', paths.keyPath];
  const input = await runProgram(OPENSSL, ['req', '-new', ...NEW_KEY, ...subject], { directory });
  await chmod(paths.keyPath, 0o600);
  const signer = ['-CA', 'cacert.pem', '-CAkey', 'cakey.pem', '-days', DAYS, '-extfile', extensions];
  await runProgram(OPENSSL, ['x509', '-req', ...signer, '-out', paths.certificatePath], { directory, input });
  return paths;
}

function extensionLines({ names = [] }: Holder): readonly string[] {
  const uses = ['clientAuth', ...(names.length > 0 ? ['serverAuth'] : [])];
  return [
    'basicConstraints=critical,CA:FALSE',
    'keyUsage=critical,digitalSignature,keyEncipherment',
    `extendedKeyUsage=${uses.join(',')}`,
    ...(names.length > 0 ? [`subjectAltName=${names.join(',')}`] : []),
  ];
}
