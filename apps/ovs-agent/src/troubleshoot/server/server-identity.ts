import { constants } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

import { messageOf } from '@smalt/service-runtime';

import { OvsAgentError } from '../../ovs-agent-error.ts';
import type { TroubleshootingSettings } from '../troubleshooting-settings.ts';
import { ensureOwnCertificate, type OwnCertificateOptions, type ServerCertificate } from './own-certificate.ts';

export type IdentityFiles = Pick<TroubleshootingSettings, 'certificateFile' | 'keyFile' | 'authorityFile'>;

/** By what the service shows who it is. */
export interface ServerIdentity extends ServerCertificate {
  /** What clients have to be told to trust; empty where the certificate is one that everybody trusts. */
  readonly authority: string;
}

/** Reads the files that the settings name, or makes a certificate where they name none. */
export async function readServerIdentity(files: IdentityFiles, own: OwnCertificateOptions): Promise<ServerIdentity> {
  const { certificateFile, keyFile, authorityFile } = files;
  if (certificateFile === '') {
    const made = await ensureOwnCertificate(own);
    return { ...made, authority: made.certificate };
  }
  const [certificate, key, authority] = await Promise.all([
    readPem(certificateFile),
    readPem(keyFile),
    authorityFile === '' ? '' : readPem(authorityFile),
  ]);
  try {
    createSecureContext({ cert: certificate, key });
  } catch (error) {
    const message = `troubleshoot: ${certificateFile} and ${keyFile} are no certificate with its key: ${messageOf(error)}`;
    throw new OvsAgentError('bad-setting', message, { cause: error });
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

async function readPem(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new OvsAgentError('bad-setting', `troubleshoot: ${path} cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
