import { join } from 'node:path';

/** Where the store keeps what. All of it lies in one file system, so that files move and link between them. */
export interface StoreLayout {
  /** The images, by digest. A file whose name ends in `.removing` is about to go. */
  readonly blobs: string;
  /** A small file for each name. */
  readonly names: string;
  /** Copies that are not complete, each with the process that makes it in its name. */
  readonly incoming: string;
  /** A symbolic link for each file that shows an image. */
  readonly users: string;
}

export function storeLayout(directory: string): StoreLayout {
  return {
    blobs: join(directory, 'blobs'),
    names: join(directory, 'names'),
    incoming: join(directory, 'incoming'),
    users: join(directory, 'users'),
  };
}
