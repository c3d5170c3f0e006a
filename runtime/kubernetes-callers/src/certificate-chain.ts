import { X509Certificate } from 'node:crypto';
import type { PeerCertificate, TLSSocket } from 'node:tls';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The fingerprints of all certificates in a PEM file. */
export function fingerprintsOf(pem: string): ReadonlySet<string> {
  return new Set((pem.match(PEM) ?? []).map((each) => new X509Certificate(each).fingerprint256));
}

/** The fingerprints of those who signed it, without its own. */
export function chainOf(peer: ReturnType<TLSSocket['getPeerCertificate']>): readonly string[] {
  const prints: string[] = [];
  let signer = signerOf(peer);
  // A root is its own signer, which ends the chain.
  while (signer !== undefined && !prints.includes(signer.fingerprint256)) {
    prints.push(signer.fingerprint256);
    signer = signerOf(signer);
  }
  return prints;
}

function signerOf(certificate: PeerCertificate): PeerCertificate | undefined {
  return 'issuerCertificate' in certificate && isCertificate(certificate.issuerCertificate)
    ? certificate.issuerCertificate
    : undefined;
}

function isCertificate(value: unknown): value is PeerCertificate {
  return typeof value === 'object' && value !== null && 'fingerprint256' in value;
}
