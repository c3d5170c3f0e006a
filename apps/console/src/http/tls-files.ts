import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';

import { messageOf } from '@smalt/service-runtime';
import { readCertificateFiles, type CertificateFiles, type FiledCertificate } from '@smalt/serving-certificate';

import { ConsoleError } from '../console-error.ts';

/** Reads the certificate and its key; what cannot be used is refused by its setting. */
export async function readTlsFiles(files: CertificateFiles): Promise<FiledCertificate> {
  try {
    return await readCertificateFiles(files);
  } catch (error) {
    throw new ConsoleError('bad-setting', `tls: ${messageOf(error)}`, { cause: error });
  }
}

/** Has new connections of a server that speaks TLS use another certificate. */
export function useCertificate(server: Server | TlsServer, { certificate, key }: FiledCertificate): void {
  if ('setSecureContext' in server) server.setSecureContext({ cert: certificate, key, minVersion: 'TLSv1.2' });
}
