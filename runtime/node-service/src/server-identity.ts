import { constants } from 'node:crypto';
import type { SecureContextOptions } from 'node:tls';

import { messageOf } from '@smalt/service-runtime';
import { readCertificateFiles } from '@smalt/serving-certificate';

import { NodeServiceError } from './node-service-error.ts';
import { ensureOwnCertificate, type OwnCertificateOptions, type ServerCertificate } from './own-certificate.ts';

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
  const authorityFiles = authorityFile === '' ? [] : [authorityFile];
  try {
    const found = await readCertificateFiles({ certificateFile, keyFile, authorityFiles });
    return { certificate: found.certificate, key: found.key, authority: found.authorities.join('') };
  } catch (error) {
    throw new NodeServiceError('bad-setting', `${setting}: ${messageOf(error)}`, { cause: error });
  }
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
