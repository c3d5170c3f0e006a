import { readFile } from 'node:fs/promises';
import { createSecureContext, type SecureContextOptions } from 'node:tls';

import { messageOf, type Logger } from '@smalt/service-runtime';

import { HaServiceError } from '../ha-service-error.ts';
import type { ServiceClock } from '../ports/service-clock.ts';

const LOOK_MS = 10_000;

/** The files of a TLS server. */
export interface TlsFiles {
  readonly certificateFile: string;
  readonly keyFile: string;
  /** Who signs the certificates of clients; each in a file of its own. */
  readonly authorityFiles: readonly string[];
}

export interface TlsIdentity extends Pick<SecureContextOptions, 'key' | 'ca'> {
  /** PEM, the certificate of the service first. */
  readonly cert: string;
}

/** Reads the files, and checks that they fit together. The error names the files and nothing of what is in them. */
export async function readTlsIdentity({ certificateFile, keyFile, authorityFiles }: TlsFiles): Promise<TlsIdentity> {
  const [cert = '', key = '', ...authorities] = await Promise.all(
    [certificateFile, keyFile, ...authorityFiles].map((path) => readPem(path)),
  );
  const identity = { cert, key, ...(authorities.length === 0 ? {} : { ca: authorities }) };
  try {
    createSecureContext(identity);
    return identity;
  } catch (error) {
    const message = `tls: ${certificateFile} and ${keyFile} are no certificate with its key: ${messageOf(error)}`;
    throw new HaServiceError('bad-settings', message, { cause: error });
  }
}

async function readPem(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new HaServiceError('unreadable-file', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

export interface FollowTlsDeps {
  readonly files: () => TlsFiles;
  readonly clock: ServiceClock;
  readonly logger: Logger;
  readonly use: (identity: TlsIdentity) => void;
}

/** Uses new files soon after they have changed. While they are wrong, what was right before stays. */
export async function followTlsIdentity(deps: FollowTlsDeps, first: TlsIdentity, signal: AbortSignal): Promise<void> {
  let current = JSON.stringify(first);
  let trouble = '';
  while (!signal.aborted) {
    await deps.clock.wait(LOOK_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      const identity = await readTlsIdentity(deps.files());
      trouble = '';
      if (JSON.stringify(identity) === current) continue;
      current = JSON.stringify(identity);
      deps.use(identity);
      deps.logger.info({}, 'the certificate of the service was read anew');
    } catch (error) {
      if (messageOf(error) === trouble) continue;
      trouble = messageOf(error);
      deps.logger.error({ error }, 'the new certificate cannot be used; the one before stays');
    }
  }
}
