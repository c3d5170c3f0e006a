import { readFile } from 'node:fs/promises';

import type { Clock } from './clock.ts';
import type { FileOrText } from './kube-config.ts';
import { KubeError } from './kube-error.ts';

/** Kubernetes renews a token when four fifths of its time have passed, and says that a minute is often enough to look. */
const FRESH_MS = 60_000;

/** Something that may stand in a file that others replace: tokens, certificates. It is read anew once a minute. */
export class FileContent {
  readonly #source: FileOrText;
  readonly #clock: Pick<Clock, 'monotonic'>;
  #text: string | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(source: FileOrText, clock: Pick<Clock, 'monotonic'>) {
    this.#source = source;
    this.#clock = clock;
  }

  async read(): Promise<string> {
    if (this.#source.kind === 'text') return this.#source.text;
    const now = this.#clock.monotonic();
    if (this.#text !== undefined && now - this.#readAt < FRESH_MS) return this.#text;
    this.#text = await this.#readFile(this.#source.path);
    this.#readAt = now;
    return this.#text;
  }

  /** Makes the next read look at the file, whatever its age. */
  expire(): void {
    this.#readAt = Number.NEGATIVE_INFINITY;
  }

  async #readFile(path: string): Promise<string> {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      // A file that is being replaced may be missing for a moment: what was read before still serves.
      if (this.#text !== undefined) return this.#text;
      const reason = error instanceof Error ? error.message : String(error);
      throw new KubeError('bad-config', `${path} cannot be read: ${reason}`, { cause: error });
    }
  }
}
