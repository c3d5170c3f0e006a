import { messageOf } from '@smalt/service-runtime';
import { ensureCertificate, readCertificateFiles, type SecretPlace } from '@smalt/serving-certificate';

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
export function fileSource({ certificate, key, authority }: CertificateFiles): CertificateSource {
  const authorityFiles = authority === '' ? [] : [authority];
  return {
    read: async () => {
      try {
        const found = await readCertificateFiles({ certificateFile: certificate, keyFile: key, authorityFiles });
        return { certificate: found.certificate, key: found.key, authority: found.authorities.join('') };
      } catch (error) {
        throw new VirtApiError('bad-setting', `serve: ${messageOf(error)}`, { cause: error });
      }
    },
  };
}
