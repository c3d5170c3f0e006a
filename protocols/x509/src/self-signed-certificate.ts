import { generateKeyPairSync } from 'node:crypto';

import { hostNames } from './alternative-names.ts';
import { issueCertificate } from './issue-certificate.ts';
import { writeSubject } from './subject.ts';

const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1';
/** Clocks of clients may be a little behind. */
const BACKDATE_MS = 300_000;

export interface SelfSignedOptions {
  readonly commonName: string;
  /** Host names and addresses that the server is reached by. */
  readonly names: readonly string[];
  readonly now: Date;
  readonly days: number;
}

/** Makes a key and a certificate for a server that vouches for itself: who trusts it has been told so elsewhere. Both in PEM form. */
export function makeSelfSigned({ commonName, names, now, days }: SelfSignedOptions): {
  readonly key: string;
  readonly certificate: string;
} {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = writeSubject({ commonName, organizations: [] });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const certificate = issueCertificate(
    {
      subject,
      publicKey: spki,
      names: hostNames(names),
      notBefore: new Date(now.getTime() - BACKDATE_MS),
      notAfter: new Date(now.getTime() + days * 24 * 3_600_000),
      isAuthority: false,
      usages: { bits: [0], identifiers: [SERVER_AUTHENTICATION] },
    },
    { subject, publicKey: spki, privateKey },
  );
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), certificate };
}
