import { constants } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

import { messageOf } from '@smalt/service-runtime';

import { NodeServiceError } from './node-service-error.ts';
import { ensureOwnCertificate, type OwnCertificateOptions, type ServerCertificate } from './own-certificate.ts';

/** A file that somebody writes in place is empty for a moment, which must not be taken for no authority at all. */
const WHOLE_PEM = /-----BEGIN [^\-]+-----[^\-]+-----END [^\-]+-----\s*$/v;

/** Files of a certificate that somebody else made; empty where there is none. */
export interface IdentityFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Who signed it, where not everybody trusts that. */
  readonly authorityFile: string;
}

/** By what the service shows who it is. */
export interface ServerIdentity extends ServerCertificate {
  /** What clients have to be told to trust; empty where the certificate is one that everybody trusts. */
  readonly authority: string;
}

/** Reads the files that the settings name, or makes a certificate where they name none. */
export async function readServerIdentity(
  files: IdentityFiles,
  own: OwnCertificateOptions,
  setting: string,
): Promise<ServerIdentity> {
  const { certificateFile, keyFile, authorityFile } = files;
  if (certificateFile === '') {
    const made = await ensureOwnCertificate(own);
    return { ...made, authority: made.certificate };
  }
  const [certificate, key, authority] = await Promise.all([
    readPem(certificateFile, setting),
    readPem(keyFile, setting),
    authorityFile === '' ? '' : readPem(authorityFile, setting),
  ]);
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    const message = `${setting}: ${certificateFile} and ${keyFile} are no certificate with its key: ${messageOf(error)}`;
    throw new NodeServiceError('bad-setting', message, { cause: error });
  }
  return { certificate, key, authority };
}

/**
 * What the TLS server is given. Client certificates are asked for and none is refused here: who they are good for is decided
 * by request. Without an authority none may count, so the list is empty and not left out, which would mean all that
 * the system trusts. Sessions are not resumed: they would outlive a change of the authority.
 */
export function secureContextOf(identity: ServerCertificate, clientAuthority: string): SecureContextOptions {
  return {
    cert: identity.certificate,
    key: identity.key,
    ca: clientAuthority === '' ? [] : [clientAuthority],
    minVersion: 'TLSv1.2',
    secureOptions: constants.SSL_OP_NO_TICKET,
  };
}

async function readPem(path: string, setting: string): Promise<string> {
  const text = await readText(path, setting);
  if (WHOLE_PEM.test(text)) return text;
  throw new NodeServiceError('bad-setting', `${setting}: ${path} is no PEM, or is being written`);
}

async function readText(path: string, setting: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new NodeServiceError('bad-setting', `${setting}: ${path} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
