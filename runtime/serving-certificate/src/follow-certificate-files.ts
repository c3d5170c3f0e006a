import { isDeepStrictEqual } from 'node:util';

import { messageOf, type Logger } from '@smalt/service-runtime';

import { readCertificateFiles, type CertificateFiles, type FiledCertificate } from './certificate-files.ts';

const LOOK_MS = 10_000;

export interface FollowCertificateDeps {
  /** Asked each time, as settings may change. */
  readonly files: () => CertificateFiles;
  readonly clock: { wait(milliseconds: number, signal: AbortSignal): Promise<void> };
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  /** Has new connections use it. What it throws counts as a wrong certificate. */
  readonly use: (certificate: FiledCertificate) => void;
}

/** Uses new files soon after they have changed, until the signal fires. While they are wrong, what was right before stays. */
export async function followCertificateFiles(
  deps: FollowCertificateDeps,
  first: FiledCertificate,
  signal: AbortSignal,
): Promise<void> {
  let current = first;
  let trouble = '';
  while (!signal.aborted) {
    await deps.clock.wait(LOOK_MS, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      const found = await readCertificateFiles(deps.files());
      trouble = '';
      if (isDeepStrictEqual(found, current)) continue;
      deps.use(found);
      current = found;
      deps.logger.info({}, 'the certificate was read anew');
    } catch (error) {
      if (messageOf(error) === trouble) continue;
      trouble = messageOf(error);
      deps.logger.warn({ error }, 'the files of the certificate cannot be used; what was in them before stays');
    }
  }
}
