import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { runProgram } from '@smalt/libvirt-daemon';

import { BedError } from './error.ts';

const SASLPASSWD2 = { name: 'saslpasswd2', debianPackage: 'sasl2-bin' } as const;

export interface SaslAccount {
  readonly username: string;
  readonly password: string;
}

/** Makes what libvirtd finds as /etc/sasl2: SCRAM-SHA-256 alone, and one account. */
export async function makeSaslDirectory(directory: string, account: SaslAccount, hostname: string): Promise<string> {
  const path = join(directory, 'sasl2');
  if (account.username === '' || account.username.startsWith('-')) {
    throw new BedError('invalid-option', `sasl.username: ${JSON.stringify(account.username)} is not a user name`);
  }
  await mkdir(path, { recursive: true });
  await writeFile(
    join(path, 'libvirt.conf'),
    'mech_list: SCRAM-SHA-256\npwcheck_method: auxprop\nauxprop_plugin: sasldb\nsasldb_path: /etc/sasl2/accounts.db\n',
  );
  await runProgram(
    SASLPASSWD2,
    ['-p', '-c', '-a', 'libvirt', '-f', join(path, 'accounts.db'), '-u', hostname, account.username],
    { input: account.password },
  );
  return path;
}
