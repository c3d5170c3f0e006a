import { createPrivateKey, generateKeyPairSync, X509Certificate, type KeyObject } from 'node:crypto';

import {
  hostNames,
  issueCertificate,
  NO_NAMES,
  writeSubject,
  type AlternativeNames,
  type CertificateIssuer,
  type Subject,
} from '@smalt/x509';

import { IdentityError } from './identity-error.ts';
import { keyUsages } from './x509/key-usages.ts';
import { rawSubjectOfCertificate } from './x509/subject.ts';

export const DAY_MS: number = 24 * 3_600_000;
const AUTHORITY_DAYS = 3_650;
/** Clocks of clients may be a little behind. */
const BACKDATE_MS = 300_000;

/** A private key and its certificate, in PEM form. */
export interface KeyAndCertificate {
  readonly key: string;
  readonly certificate: string;
}

/** Who signs the certificates of a server and of those that talk to it. */
export class CertificateAuthority {
  /** In PEM form. */
  readonly certificate: string;
  readonly notAfter: Date;
  readonly #issuer: CertificateIssuer;

  /** Takes an authority as it was stored. Throws when key and certificate do not belong together. */
  constructor(stored: KeyAndCertificate) {
    const certificate = new X509Certificate(stored.certificate);
    const privateKey = createPrivateKey(stored.key);
    if (!certificate.checkPrivateKey(privateKey)) {
      throw new IdentityError(
        'damaged-identity',
        'the key of the certificate authority is not that of its certificate',
      );
    }
    this.certificate = stored.certificate;
    this.notAfter = certificate.validToDate;
    this.#issuer = {
      subject: rawSubjectOfCertificate(certificate.raw),
      publicKey: spkiOf(certificate.publicKey),
      privateKey,
    };
  }

  /** Makes a key and its certificate for a server that is reached by these host names and addresses. */
  issueServing(names: readonly string[], validity: { readonly now: Date; readonly days: number }): KeyAndCertificate {
    const commonName = names[0] ?? 'localhost';
    const content = { subject: { commonName, organizations: [] }, names: hostNames(names), usage: 'server auth' };
    return this.#issueWithKey(content, validity);
  }

  /** Makes a key and its certificate for a user and the groups it is in. */
  issueClient(subject: Subject, validity: { readonly now: Date; readonly days: number }): KeyAndCertificate {
    return this.#issueWithKey({ subject, names: NO_NAMES, usage: 'client auth' }, validity);
  }

  /** Signs what somebody else holds the key of. Never for longer than the authority itself is good. */
  sign(content: {
    readonly rawSubject: Buffer;
    readonly publicKey: Buffer;
    readonly names: AlternativeNames;
    readonly usages: readonly string[];
    readonly notBefore: Date;
    readonly notAfter: Date;
  }): string {
    const { rawSubject, publicKey, names, usages, notBefore } = content;
    if (notBefore >= this.notAfter) {
      throw new IdentityError('signer-expired', `the signer has expired: NotAfter=${this.notAfter.toISOString()}`);
    }
    const notAfter = content.notAfter < this.notAfter ? content.notAfter : this.notAfter;
    return issueCertificate(
      { subject: rawSubject, publicKey, names, notBefore, notAfter, isAuthority: false, usages: keyUsages(usages) },
      this.#issuer,
    );
  }

  /** Whether a certificate is signed by this authority and belongs to the key beside it. */
  hasIssued({ key, certificate }: KeyAndCertificate): boolean {
    try {
      const parsed = new X509Certificate(certificate);
      const own = new X509Certificate(this.certificate);
      return parsed.checkPrivateKey(createPrivateKey(key)) && parsed.checkIssued(own) && parsed.verify(own.publicKey);
    } catch {
      return false; // Whatever cannot be read was not made here.
    }
  }

  #issueWithKey(
    content: { readonly subject: Subject; readonly names: AlternativeNames; readonly usage: string },
    { now, days }: { readonly now: Date; readonly days: number },
  ): KeyAndCertificate {
    const { publicKey, privateKey } = newKeyPair();
    const certificate = this.sign({
      rawSubject: writeSubject(content.subject),
      publicKey: spkiOf(publicKey),
      names: content.names,
      usages: ['digital signature', content.usage],
      notBefore: new Date(now.getTime() - BACKDATE_MS),
      notAfter: new Date(now.getTime() + days * DAY_MS),
    });
    return { key: pemOf(privateKey), certificate };
  }
}

/** Makes an authority of a new key. */
export function makeAuthority(commonName: string, now: Date): KeyAndCertificate {
  const { publicKey, privateKey } = newKeyPair();
  const subject = writeSubject({ commonName, organizations: [] });
  const spki = spkiOf(publicKey);
  const certificate = issueCertificate(
    {
      subject,
      publicKey: spki,
      names: NO_NAMES,
      notBefore: new Date(now.getTime() - BACKDATE_MS),
      notAfter: new Date(now.getTime() + AUTHORITY_DAYS * DAY_MS),
      isAuthority: true,
      usages: keyUsages(['digital signature', 'cert sign', 'crl sign']),
    },
    { subject, publicKey: spki, privateKey },
  );
  return { key: pemOf(privateKey), certificate };
}

/** Makes a private key on the curve P-256, in PEM form. */
export function makePrivateKey(): string {
  return pemOf(newKeyPair().privateKey);
}

function newKeyPair(): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

function pemOf(privateKey: KeyObject): string {
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function spkiOf(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' });
}
