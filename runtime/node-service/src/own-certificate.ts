import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileSafely } from '@smalt/files';
import type { Ignore } from '@smalt/service-runtime';
import { makeSelfSigned } from '@smalt/x509';

const DAYS = 365;
const RENEW_BEFORE_MS = 30 * 24 * 3_600_000;

export interface OwnCertificateOptions {
  /** Made when it is not there, for nobody else to look into. */
  readonly directory: string;
  /** What its two files are called, without their ends. */
  readonly fileName: string;
  readonly commonName: string;
  /** Names and addresses that the service is reached by. */
  readonly names: readonly string[];
  readonly now: () => number;
  readonly ignore: Ignore;
}

/** A certificate and its key, in PEM form. */
export interface ServerCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** The certificate that the agent has made for itself: the one of before while it is good for a month, else a new one. */
export async function ensureOwnCertificate(options: OwnCertificateOptions): Promise<ServerCertificate> {
  const [keyFile, certificateFile] = ['key', 'crt'].map((end) => join(options.directory, `${options.fileName}.${end}`));
  const kept = await readKept(options, keyFile ?? '', certificateFile ?? '');
  if (kept !== undefined) return kept;
  const { commonName, names, now, directory } = options;
  const made = makeSelfSigned({ commonName, names, now: new Date(now()), days: DAYS });
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await writeFileSafely(keyFile ?? '', made.key);
  await writeFileSafely(certificateFile ?? '', made.certificate, { mode: 0o644 });
  return made;
}

async function readKept(
  { names, now, ignore }: OwnCertificateOptions,
  keyFile: string,
  certificateFile: string,
): Promise<ServerCertificate | undefined> {
  try {
    const [key, certificate] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certificateFile, 'utf8')]);
    return isGood({ key, certificate }, names, now()) ? { key, certificate } : undefined;
  } catch (error) {
    ignore(error, 'there is no certificate of before that can be used: a new one is made');
    return undefined;
  }
}

function isGood({ key, certificate }: ServerCertificate, names: readonly string[], now: number): boolean {
  const read = new X509Certificate(certificate);
  const isNamed = names.every((name) => read.checkHost(name) !== undefined || read.checkIP(name) !== undefined);
  return isNamed && read.checkPrivateKey(createPrivateKey(key)) && read.validToDate.getTime() - now > RENEW_BEFORE_MS;
}
