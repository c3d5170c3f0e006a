import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';

import { messageOf } from '@smalt/service-runtime';
import { ensureCertificate, type SecretPlace } from '@smalt/serving-certificate';

import { VirtApiError } from '../virt-api-error.ts';

const OWNER = 'smalt-virt-api';

/** By what we show API servers who we are, all of it PEM. */
export interface ServingCertificate {
  readonly certificate: string;
  readonly key: string;
  /** What they have to be told to trust; empty where they do already. */
  readonly authority: string;
}

/** Where the certificate comes from. It is read anew now and then. */
export interface CertificateSource {
  read(signal: AbortSignal): Promise<ServingCertificate>;
}

/** The certificate of all replicas, which whoever comes first makes, in a Secret. */
export function secretSource(
  place: SecretPlace,
  wishes: { readonly names: readonly string[]; readonly now: () => Date },
): CertificateSource {
  return {
    read: async (signal) => {
      const { names, now } = wishes;
      const own = { owner: OWNER, names, now: now() };
      const { certificate, key, authorities } = await ensureCertificate(place, own, signal);
      return { certificate, key, authority: authorities };
    },
  };
}

export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
  /** Who signed it; empty where everybody trusts that. */
  readonly authority: string;
}

/** A certificate that somebody else makes and renews, in files. */
export function fileSource(files: CertificateFiles): CertificateSource {
  return {
    read: async () => {
      const [certificate, key, authority] = await Promise.all([
        readPem(files.certificate, 'serve.certificate'),
        readPem(files.key, 'serve.key'),
        files.authority === '' ? '' : readPem(files.authority, 'serve.authority'),
      ]);
      try {
        createSecureContext({ cert: certificate, key });
      } catch (error) {
        const message = `serve: ${files.certificate} and ${files.key} are no certificate with its key: ${messageOf(error)}`;
        throw new VirtApiError('bad-setting', message, { cause: error });
      }
      return { certificate, key, authority };
    },
  };
}

async function readPem(path: string, setting: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new VirtApiError('bad-setting', `${setting}: ${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}
