import { readFile } from 'node:fs/promises';

import { OvsError } from '../ovs-error.ts';

/** The PEM files for `ssl:` remotes. They are read at each connection, so that renewed ones are used. */
export interface TlsFiles {
  readonly certificateFile?: string;
  readonly keyFile?: string;
  readonly authorityFile: string;
  /** The name that the server's certificate must carry. OVS itself asks for none, only for the authority. */
  readonly serverName?: string;
}

/** What one handshake needs, in PEM. */
export interface TlsCredentials {
  readonly ca: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

/** Reads the files for one handshake. One that cannot be read is named in the error. */
export async function readTlsFiles(files: TlsFiles | undefined): Promise<TlsCredentials> {
  if (files === undefined) throw invalid('an ssl: remote needs options.tls with the file of its authority');
  if ((files.certificateFile === undefined) !== (files.keyFile === undefined)) {
    throw invalid('options.tls.certificateFile and options.tls.keyFile go together: give both or neither');
  }
  const ca = await readPem(files.authorityFile, 'authorityFile');
  if (files.certificateFile === undefined || files.keyFile === undefined) return { ca };
  const [cert, key] = await Promise.all([
    readPem(files.certificateFile, 'certificateFile'),
    readPem(files.keyFile, 'keyFile'),
  ]);
  return { ca, cert, key };
}

async function readPem(path: string, field: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OvsError('unreachable', `options.tls.${field}: ${path} cannot be read: ${why}`, { cause });
  }
}

function invalid(message: string): OvsError {
  return new OvsError('invalid-argument', message);
}
