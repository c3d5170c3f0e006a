import type { OutgoingHttpHeaders } from 'node:http';

import type { JsonObject } from '@smalt/json';

import { CertificateAuthority, makeAuthority, type KeyAndCertificate } from '../identity/certificate-authority.ts';
import type { User } from '../identity/user.ts';
import { endToEndHeaders } from './proxy-request.ts';

const NAME = 'front-proxy-client';
const DAYS = 3_650;
const OURS = /^(?:authorization|cookie|x-remote-.*|impersonate-.*|x-forwarded-.*|host|content-length)$/i;

/**
 * Tells other API servers on whose behalf we ask. It has an authority of its own, so that nobody whose certificate was
 * signed for another purpose can speak for others.
 */
export class FrontProxy {
  readonly client: KeyAndCertificate;
  readonly #authority: CertificateAuthority;

  constructor(now: Date) {
    this.#authority = new CertificateAuthority(makeAuthority('smalt-front-proxy', now));
    this.client = this.#authority.issueClient({ commonName: NAME, organizations: [] }, { now, days: DAYS });
  }

  /** What other servers have to know to believe us, as it stands in a ConfigMap that they read. */
  published(clientCa: string): JsonObject {
    return {
      'client-ca-file': clientCa,
      'requestheader-allowed-names': JSON.stringify([NAME]),
      'requestheader-client-ca-file': this.#authority.certificate,
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-uid-headers': '["X-Remote-Uid"]',
      'requestheader-username-headers': '["X-Remote-User"]',
    };
  }

  /** The headers of a request that is passed on: those of the client without its credentials, and who it is. */
  headersFor(user: User, given: OutgoingHttpHeaders): OutgoingHttpHeaders {
    const kept = Object.entries(endToEndHeaders(given)).filter(([name]) => !OURS.test(name));
    const extra = Object.entries(user.extra).map(([key, values]): [string, string[]] => [
      `X-Remote-Extra-${encodeURIComponent(key)}`,
      [...values],
    ]);
    return {
      ...Object.fromEntries(kept),
      'X-Remote-User': user.name,
      ...(user.uid === undefined || user.uid === '' ? {} : { 'X-Remote-Uid': user.uid }),
      ...(user.groups.length === 0 ? {} : { 'X-Remote-Group': [...user.groups] }),
      ...Object.fromEntries(extra),
    };
  }
}
