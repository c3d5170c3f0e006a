import { readFile } from 'node:fs/promises';

import type { Clock } from './clock.ts';
import type { CloudTls } from './cloud-config.ts';
import { OpenStackError } from './openstack-error.ts';

/** Certificates are replaced in place by who issues them; a minute is often enough to look. */
const FRESH_MS = 60_000;

/** What the files of a CloudTls hold. */
export interface TlsTexts {
  readonly authority: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

/** The certificates of a cloud, read anew once a minute. */
export class TlsFiles {
  readonly #tls: CloudTls;
  readonly #clock: Clock;
  #texts: TlsTexts | undefined;
  #readAt = 0;

  constructor(tls: CloudTls, clock: Clock) {
    this.#tls = tls;
    this.#clock = clock;
  }

  async read(): Promise<TlsTexts> {
    if (this.#texts !== undefined && this.#clock.now() - this.#readAt < FRESH_MS) return this.#texts;
    const [authority, certificate, key] = await Promise.all([
      this.#text(this.#tls.authorityFile, this.#texts?.authority),
      this.#text(this.#tls.certificateFile, this.#texts?.certificate),
      this.#text(this.#tls.keyFile, this.#texts?.key),
    ]);
    const previous = this.#texts;
    const isSame = previous?.authority === authority && previous?.certificate === certificate && previous?.key === key;
    // Whoever holds the texts can tell by the object whether they have changed.
    this.#texts = previous !== undefined && isSame ? previous : { authority, certificate, key };
    this.#readAt = this.#clock.now();
    return this.#texts;
  }

  async #text(path: string | undefined, previous: string | undefined): Promise<string | undefined> {
    if (path === undefined) return undefined;
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      // A file that is being replaced may be missing for a moment: what was read before still serves.
      if (previous !== undefined) return previous;
      const reason = error instanceof Error ? error.message : String(error);
      throw new OpenStackError('bad-config', `${path} cannot be read: ${reason}`, { cause: error });
    }
  }
}
