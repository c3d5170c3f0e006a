import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { copyImage } from './copy-image.ts';
import { hasCode, storeError } from './file-error.ts';
import { ImageNames } from './image-names.ts';
import { blobName, type ImageRecord } from './image-record.ts';
import { parseReference } from './image-reference.ts';
import { ImageStoreError } from './image-store-error.ts';
import { showImage, usersOf } from './image-users.ts';
import type { ImportOptions } from './import-options.ts';
import { storeLayout, type StoreLayout } from './store-layout.ts';
import { incomingName, sweepIncoming } from './sweep-incoming.ts';

/** An image of the store, by one of its names. */
export interface StoredImage {
  /** Its whole name, such as `quay.io/containerdisks/fedora:40`. */
  readonly reference: string;
  /** The file; it never changes. */
  readonly path: string;
  readonly format: 'raw' | 'qcow2';
  /** `sha256:` and the digest of the file. */
  readonly digest: string;
  /** The size of the file. */
  readonly sizeBytes: number;
  /** The size of the disk that the guest sees. */
  readonly virtualSizeBytes: number;
  readonly importedAt: Date;
}

const DEFAULT_DIRECTORY = '/var/lib/smalt/images';
const REMOVING = '.removing';

/**
 * Disk images of this machine by the names that `containerDisk` uses. Any number of processes may use one directory at
 * once, and each may be killed at any moment: what is half done is never seen, and is swept by the next change.
 */
export class ImageStore {
  readonly directory: string;
  readonly #layout: StoreLayout;
  readonly #names: ImageNames;

  constructor(directory: string) {
    this.directory = resolve(directory);
    this.#layout = storeLayout(this.directory);
    this.#names = new ImageNames(this.#layout.names);
  }

  /** The image of that name. Throws `image-not-found`, or `invalid-reference` for what can be no name. */
  async resolve(reference: string): Promise<StoredImage> {
    const name = parseReference(reference);
    const record = await this.#names.read(name);
    await this.#requireBlob(record, name);
    return this.#stored(name, record);
  }

  async list(): Promise<readonly StoredImage[]> {
    return (await this.#names.list()).map(({ reference, record }) => this.#stored(reference, record));
  }

  /** Takes a copy of the file under a name; an image that had that name before loses it. */
  async importFile(file: string, reference: string, options: ImportOptions = {}): Promise<StoredImage> {
    const name = parseReference(reference);
    try {
      for (const each of Object.values(this.#layout)) await mkdir(each, { recursive: true, mode: 0o755 });
      await this.#sweep();
      const incoming = join(this.#layout.incoming, await incomingName(randomUUID()));
      try {
        const record = { ...(await copyImage(file, incoming, options)), importedAt: new Date().toISOString() };
        await this.#take(incoming, name, record);
        return this.#stored(name, record);
      } finally {
        await rm(incoming, { force: true });
      }
    } catch (error) {
      throw storeError(error, this.directory);
    }
  }

  /** Forgets a name, and the image with its last name. Throws `image-in-use` while a directory shows it. */
  async remove(reference: string): Promise<void> {
    const name = parseReference(reference);
    const record = await this.#names.read(name);
    const blob = blobName(record);
    const others = (await this.#names.list()).filter(
      (each) => each.reference !== name && blobName(each.record) === blob,
    );
    const [user] = others.length > 0 ? [] : await usersOf(this.#layout.users, blob);
    if (user !== undefined) {
      const message = `The image ${name} is in use by ${user}; stop the virtual machines that use it first`;
      throw new ImageStoreError('image-in-use', message);
    }
    try {
      await this.#names.remove(name);
      await this.#sweep();
    } catch (error) {
      throw storeError(error, this.directory);
    }
  }

  /**
   * Makes the image show in a directory as `disk/disk.img` or `disk/disk.qcow2`; when it does already, that is all. The
   * image is in use until that file is removed.
   */
  async exposeIn(directory: string, reference: string): Promise<StoredImage> {
    const image = await this.resolve(reference);
    const path = join(resolve(directory), 'disk', image.format === 'raw' ? 'disk.img' : 'disk.qcow2');
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o755 });
      await showImage(this.#layout.users, image.path, path);
    } catch (error) {
      // Removed since it was looked up.
      if (hasCode(error, 'ENOENT')) await this.resolve(reference);
      throw storeError(error, this.directory);
    }
    return image;
  }

  #stored(reference: string, record: ImageRecord): StoredImage {
    const path = join(this.#layout.blobs, blobName(record));
    return { ...record, reference, path, importedAt: new Date(record.importedAt) };
  }

  async #requireBlob(record: ImageRecord, name: string): Promise<void> {
    const path = join(this.#layout.blobs, blobName(record));
    const size = (await restored(path))?.size;
    if (size === record.sizeBytes) return;
    const found = size === undefined ? 'is missing' : 'has another size than it had';
    throw new ImageStoreError('image-damaged', `The file of the image ${name} ${found}; import it again`);
  }

  /**
   * Gives a complete copy its place and its name. A remover may take the file away in between; it looks at the names
   * again afterwards, and here the file is looked for again, so one of the two notices.
   */
  async #take(incoming: string, name: string, record: ImageRecord): Promise<void> {
    const path = join(this.#layout.blobs, blobName(record));
    await linkUnlessThere(incoming, path);
    await this.#names.write(name, record);
    await linkUnlessThere(incoming, path);
  }

  /** Removes what has no name and no user, and what killed processes left. */
  async #sweep(): Promise<void> {
    await sweepIncoming(this.#layout.incoming);
    const blobs = new Set((await readdir(this.#layout.blobs)).map((file) => file.replace(REMOVING, '')));
    for (const blob of blobs) {
      if (await this.#isNamed(blob)) await restored(join(this.#layout.blobs, blob));
      else if ((await usersOf(this.#layout.users, blob)).length === 0) await this.#removeBlob(blob);
    }
  }

  async #removeBlob(blob: string): Promise<void> {
    const path = join(this.#layout.blobs, blob);
    const removing = `${path}${REMOVING}`;
    await rename(path, removing).catch(unlessMissing);
    // It may have got a name since it was looked for, by an import that found the file there.
    if (await this.#isNamed(blob)) await restored(path);
    await rm(removing, { force: true });
  }

  async #isNamed(blob: string): Promise<boolean> {
    return (await this.#names.list()).some(({ record }) => blobName(record) === blob);
  }
}

/** Opens the store in a directory, which is made at the first import. */
export function openImageStore(directory: string = DEFAULT_DIRECTORY): ImageStore {
  return new ImageStore(directory);
}

/** The file at a path, put back if a removal was cut short; undefined when there is none. */
async function restored(path: string): Promise<{ readonly size: number } | undefined> {
  const present = await stat(path).catch(unlessMissing);
  if (present) return present;
  await link(`${path}${REMOVING}`, path).catch((error: unknown) => {
    if (!hasCode(error, 'ENOENT', 'EEXIST')) throw error;
  });
  return await lstat(path).catch(unlessMissing);
}

async function linkUnlessThere(from: string, to: string): Promise<void> {
  await link(from, to).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
}

function unlessMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error;
}
