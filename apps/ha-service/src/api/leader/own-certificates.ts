import { X509Certificate } from 'node:crypto';

import type { ServiceClock } from '../../ports/service-clock.ts';

/** A new certificate reaches replicas one after the other: a mounted Secret is looked at every minute or two. */
const OVERLAP_MS = 300_000;

/** The certificate that this replica shows, and for a while the one before it, which others may still show. */
export class OwnCertificates {
  readonly #clock: Pick<ServiceClock, 'now'>;
  #current: X509Certificate;
  #former: { readonly certificate: X509Certificate; readonly until: number } | undefined;

  constructor(clock: Pick<ServiceClock, 'now'>, pem: string) {
    this.#clock = clock;
    this.#current = new X509Certificate(pem);
  }

  use(pem: string): void {
    const next = new X509Certificate(pem);
    if (next.fingerprint256 === this.#current.fingerprint256) return;
    this.#former = { certificate: this.#current, until: this.#clock.now() + OVERLAP_MS };
    this.#current = next;
  }

  /** By which a replica is known as one of us. */
  all(): readonly X509Certificate[] {
    const former = this.#former;
    const isOver = former === undefined || this.#clock.now() >= former.until;
    return isOver ? [this.#current] : [this.#current, former.certificate];
  }
}
