import { gunzip, gzip } from 'node:zlib';

// Without `promisify`: an import of node:util loads worker threads and more, 3 MiB that nothing else here needs.

/** Packs bytes with gzip, off the main thread. */
export function pack(bytes: Buffer, level: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gzip(bytes, { level }, (error, packed) => (error === null ? resolve(packed) : reject(error)));
  });
}

/** The bytes that were packed. */
export function unpack(packed: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gunzip(packed, (error, bytes) => (error === null ? resolve(bytes) : reject(error)));
  });
}
