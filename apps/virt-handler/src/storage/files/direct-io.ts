import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';

import { hasCode } from './file-error.ts';

/** Tells whether files can be opened past the page cache; a file system is asked once. */
export class DirectIo {
  readonly #known = new Map<number, boolean>();

  /** Whether all of these files can. */
  async supports(...paths: readonly string[]): Promise<boolean> {
    for (const path of paths) {
      if (!(await this.#supports(path))) return false;
    }
    return true;
  }

  async #supports(path: string): Promise<boolean> {
    const { dev } = await stat(path);
    const known = this.#known.get(dev);
    if (known !== undefined) return known;
    const answer = await canOpenDirectly(path);
    this.#known.set(dev, answer);
    return answer;
  }
}

async function canOpenDirectly(path: string): Promise<boolean> {
  try {
    await using _file = await open(path, constants.O_RDONLY | constants.O_DIRECT);
    return true;
  } catch (error) {
    if (hasCode(error, 'EINVAL', 'ENOTSUP')) return false;
    throw error;
  }
}
