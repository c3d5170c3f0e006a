import { randomUUID } from 'node:crypto';
import { link, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

import { copyImage } from './copy-image.ts';
import { hasCode, storeError } from './file-error.ts';
import { ImageNames } from './image-names.ts';
import { copyKernel, type CopiedParts, type KernelParts } from './copy-kernel.ts';
import { blobName, blobsOf, type ImageFile, type ImageRecord } from './image-record.ts';
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
  /** What it shows instead of a disk; `path` is then that of the first. */
  readonly files?: readonly ImageFile[] | undefined;
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
    await this.#requireBlobs(record, name);
    return this.#stored(name, record);
  }

  async list(): Promise<readonly StoredImage[]> {
    return (await this.#names.list()).map(({ reference, record }) => this.#stored(reference, record));
  }

  /** Takes a copy of the file under a name; an image that had that name before loses it. */
  async importFile(file: string, reference: string, options: ImportOptions = {}): Promise<StoredImage> {
    return await this.#import(reference, async (incoming) => {
      const path = await incoming();
      const copied = await copyImage(file, path, options);
      return { record: copied, copies: [{ name: blobName(copied), path }] };
    });
  }

  /**
   * Takes copies of a kernel, and of what it starts with, under a name for `kernelBoot`. They show as `boot/vmlinuz` and
   * `boot/initrd`, and there is no disk beside them.
   */
  async importKernel(parts: KernelParts, reference: string, options: ImportOptions = {}): Promise<StoredImage> {
    return await this.#import(reference, (incoming) => copyKernel(parts, incoming, options));
  }

  /** Forgets a name, and the image with its last name. Throws `image-in-use` while a directory shows it. */
  async remove(reference: string): Promise<void> {
    const name = parseReference(reference);
    const record = await this.#names.read(name);
    const [user] = await this.#usersWithout(name, record);
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
   * Makes the image show in a directory as `disk/disk.img` or `disk/disk.qcow2`, or as the files that it is made of; when it
   * does already, that is all. The image is in use until those are removed.
   */
  async exposeIn(directory: string, reference: string): Promise<StoredImage> {
    const image = await this.resolve(reference);
    try {
      for (const { name, shown } of shownFiles(image)) {
        const path = join(resolve(directory), shown);
        await mkdir(dirname(path), { recursive: true, mode: 0o755 });
        await showImage(this.#layout.users, join(this.#layout.blobs, name), path);
      }
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

  async #requireBlobs(record: ImageRecord, name: string): Promise<void> {
    for (const { name: blob, sizeBytes } of blobsOf(record)) {
      const size = (await restored(join(this.#layout.blobs, blob)))?.size;
      if (size === sizeBytes) continue;
      const found = size === undefined ? 'is missing' : 'has another size than it had';
      throw new ImageStoreError('image-damaged', `The file of the image ${name} ${found}; import it again`);
    }
  }

  /** Who uses what of an image would go with its name. */
  async #usersWithout(name: string, record: ImageRecord): Promise<readonly string[]> {
    const others = (await this.#names.list()).filter(({ reference }) => reference !== name);
    const kept = new Set(others.flatMap((other) => blobsOf(other.record).map((blob) => blob.name)));
    const going = blobsOf(record).filter((blob) => !kept.has(blob.name));
    return (await Promise.all(going.map((blob) => usersOf(this.#layout.users, blob.name)))).flat();
  }

  async #import(
    reference: string,
    copy: (incoming: () => Promise<string>) => Promise<CopiedParts>,
  ): Promise<StoredImage> {
    const name = parseReference(reference);
    const paths: string[] = [];
    const incoming = async (): Promise<string> => {
      const path = join(this.#layout.incoming, await incomingName(randomUUID()));
      paths.push(path);
      return path;
    };
    try {
      for (const each of Object.values(this.#layout)) await mkdir(each, { recursive: true, mode: 0o755 });
      await this.#sweep();
      const { record: copied, copies } = await copy(incoming);
      const record = { ...copied, importedAt: new Date().toISOString() };
      await this.#take(copies, name, record);
      return this.#stored(name, record);
    } catch (error) {
      throw storeError(error, this.directory);
    } finally {
      for (const path of paths) await rm(path, { force: true });
    }
  }

  /**
   * Gives complete copies their places and their name. A remover may take the file away in between; it looks at the names
   * again afterwards, and here the file is looked for again, so one of the two notices.
   */
  async #take(copies: CopiedParts['copies'], name: string, record: ImageRecord): Promise<void> {
    const place = async (): Promise<void> => {
      for (const copy of copies) await linkUnlessThere(copy.path, join(this.#layout.blobs, copy.name));
    };
    await place();
    await this.#names.write(name, record);
    await place();
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
    return (await this.#names.list()).some(({ record }) => blobsOf(record).some(({ name }) => name === blob));
  }
}

/** Opens the store in a directory, which is made at the first import. */
export function openImageStore(directory: string = DEFAULT_DIRECTORY): ImageStore {
  return new ImageStore(directory);
}

/** Where the parts of an image show, and which files of the store they are. */
function shownFiles({
  format,
  digest,
  files,
}: StoredImage): readonly { readonly name: string; readonly shown: string }[] {
  if (files === undefined) {
    return [{ name: blobName({ format, digest }), shown: format === 'raw' ? 'disk/disk.img' : 'disk/disk.qcow2' }];
  }
  return files.map((file) => ({ name: blobName({ ...file, format: 'raw' }), shown: file.path }));
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
