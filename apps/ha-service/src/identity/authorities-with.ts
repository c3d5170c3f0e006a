import { rootCertificates } from 'node:tls';

/** The authorities of this system and one more, in PEM, for a connection to a server that either may have signed for. */
export function authoritiesWith(own: string): string[] {
  return [...rootCertificates, own];
}
