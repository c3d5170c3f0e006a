import { readFile } from 'node:fs/promises';

import { messageOf } from '@smalt/service-runtime';

import { ConsoleError } from '../console-error.ts';

export interface TlsFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
}

export interface TlsCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Reads the certificate and its key; a file that cannot be read is refused by its setting. */
export async function readTlsFiles({ certificateFile, keyFile }: TlsFiles): Promise<TlsCertificate> {
  return {
    cert: await text('tls.certificateFile', certificateFile),
    key: await text('tls.keyFile', keyFile),
  };
}

async function text(setting: string, path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new ConsoleError('bad-setting', `${setting}: ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
