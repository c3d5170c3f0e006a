import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';

import { messageOf } from '@smalt/service-runtime';

import { CertificateError } from './certificate-error.ts';

/** Where a certificate lies that somebody else makes and renews. */
export interface CertificateFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Authorities that go with it: who signed it, or whose clients count. */
  readonly authorityFiles: readonly string[];
}

/** What the files hold, all of it PEM; an authority for each of its files. */
export interface FiledCertificate {
  readonly certificate: string;
  readonly key: string;
  readonly authorities: readonly string[];
}

const PEM_BLOCK = /-----BEGIN [^\-]+-----[^\-]+-----END [^\-]+-----/gv;

/** Reads the files, and checks that they are whole and fit together. The error names the files and nothing of what is in them. */
export async function readCertificateFiles(files: CertificateFiles): Promise<FiledCertificate> {
  const { certificateFile, keyFile, authorityFiles } = files;
  const [certificate, key, authorities] = await Promise.all([
    readPem(certificateFile),
    readPem(keyFile),
    Promise.all(authorityFiles.map(readPem)),
  ]);
  try {
    createSecureContext({ cert: certificate, key, ca: [...authorities] });
    return { certificate, key, authorities };
  } catch (error) {
    const message = `${certificateFile} and ${keyFile} are no certificate with its key: ${messageOf(error)}`;
    throw new CertificateError('bad-file', message, { cause: error });
  }
}

/** Reads a file of PEM. Who writes a file in place empties it first: that must not be taken for no authority at all. */
export async function readPem(path: string): Promise<string> {
  const text = await readText(path);
  const rest = text.replaceAll(PEM_BLOCK, '');
  if (rest !== text && !/^-/mv.test(rest)) return text;
  throw new CertificateError('bad-file', `${path} is no PEM, or is being written`);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new CertificateError('unreadable-file', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
