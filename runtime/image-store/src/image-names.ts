import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { writeFileSafely } from '@smalt/files';

import { hasCode } from './file-error.ts';
import { parseRecord, type ImageRecord } from './image-record.ts';
import { referenceFile, referenceOfFile } from './image-reference.ts';
import { ImageStoreError } from './image-store-error.ts';

/** The names of the store; each change is one rename, so readers see the old or the new. */
export class ImageNames {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  async read(reference: string): Promise<ImageRecord> {
    const text = await readFile(join(this.#directory, referenceFile(reference)), 'utf8').catch((error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
      const remedy = `import one with: smalt image import FILE ${reference}`;
      throw new ImageStoreError('image-not-found', `There is no image ${reference} on this machine; ${remedy}`);
    });
    return parseRecord(text, reference);
  }

  async write(reference: string, record: ImageRecord): Promise<void> {
    const path = join(this.#directory, referenceFile(reference));
    await writeFileSafely(path, JSON.stringify(record), { mode: 0o644 });
  }

  async remove(reference: string): Promise<void> {
    await rm(join(this.#directory, referenceFile(reference)), { force: true });
  }

  /** All names with what they stand for, in order; those that cannot be read are left to `read`. */
  async list(): Promise<readonly { readonly reference: string; readonly record: ImageRecord }[]> {
    const files = await readdir(this.#directory).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return [];
      throw error;
    });
    const references = files.map(referenceOfFile).filter((reference) => reference !== undefined);
    const found: { readonly reference: string; readonly record: ImageRecord }[] = [];
    for (const reference of references.toSorted()) {
      try {
        found.push({ reference, record: await this.read(reference) });
      } catch (error) {
        // Removed in between, or damaged: then it is nobody's image.
        if (!(error instanceof ImageStoreError)) throw error;
      }
    }
    return found;
  }
}
