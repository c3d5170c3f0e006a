import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ImagesError } from './images-error.ts';

interface PackageLock {
  readonly packages?: Readonly<Record<string, { readonly integrity?: string } | undefined>>;
}

/** The digests of npm packages by their folders, as package-lock.json has them: what npm has checked when it unpacked them. */
export class NpmDigests {
  readonly #lock: PackageLock;

  constructor(lock: PackageLock) {
    this.#lock = lock;
  }

  /** The sha512 of the package that was unpacked there, in hexadecimal. Throws `missing-file` if nobody knows it. */
  sha512(folder: string): string {
    const words = this.#lock.packages?.[folder]?.integrity?.split(' ') ?? [];
    const [, found] =
      /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(words.find((word) => word.startsWith('sha512-')) ?? '') ?? [];
    if (found !== undefined) return Buffer.from(found, 'base64').toString('hex');
    throw new ImagesError('missing-file', `package-lock.json has no sha512 of ${folder}: run npm install`);
  }
}

/** Reads those of a repository. */
export async function readNpmDigests(root: string): Promise<NpmDigests> {
  return new NpmDigests(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')));
}
