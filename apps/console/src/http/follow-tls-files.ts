import type { Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';

import type { CertificateExpiry, Logger } from '@smalt/service-runtime';

import type { ConsoleClock } from '../console-clock.ts';
import { readTlsFiles, type TlsCertificate, type TlsFiles } from './tls-files.ts';

const LOOK_MS = 60_000;

export interface FollowTlsDeps {
  readonly server: Server;
  readonly files: TlsFiles;
  readonly clock: ConsoleClock;
  readonly logger: Logger;
  readonly expiry: Pick<CertificateExpiry, 'tellOf'>;
}

/** Uses a new certificate for new connections once the files hold one, until the signal fires. A wrong one changes nothing. */
export async function followTlsFiles(
  { server, files, clock, logger, expiry }: FollowTlsDeps,
  first: TlsCertificate,
  signal: AbortSignal,
): Promise<void> {
  let current = first;
  expiry.tellOf(first.cert);
  while (!signal.aborted) {
    await clock.wait(LOOK_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      const found = await readTlsFiles(files);
      if (found.cert === current.cert && found.key === current.key) continue;
      if (isTls(server)) server.setSecureContext({ ...found, minVersion: 'TLSv1.2' });
      current = found;
      expiry.tellOf(found.cert);
      logger.info({}, 'the certificate has been replaced');
    } catch (error) {
      logger.warn({ error }, 'the certificate stays as it is: what is in its files cannot be used');
    }
  }
}

function isTls(server: Server | TlsServer): server is TlsServer {
  return 'setSecureContext' in server;
}
