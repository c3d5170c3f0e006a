import { createHash } from 'node:crypto';

import { pack, unpack } from '../http/pack.ts';

const GZIP_LEVEL = 6;

/** A document in both forms: packed as it is kept, or unpacked on demand. */
export interface PackedDocument {
  readonly packed: Buffer;
  readonly etag: string;
  unpacked(): Promise<Buffer>;
}

/** Keeps documents packed, for they are large and rarely read; each is made when it is first asked for. */
export class PackedDocuments {
  readonly #documents = new Map<string, Promise<PackedDocument>>();

  clear(): void {
    this.#documents.clear();
  }

  get(name: string, make: () => Buffer | Promise<Buffer>): Promise<PackedDocument> {
    const known = this.#documents.get(name);
    if (known !== undefined) return known;
    const made = packDocument(make);
    this.#documents.set(name, made);
    made.catch(() => this.#documents.delete(name));
    return made;
  }
}

async function packDocument(make: () => Buffer | Promise<Buffer>): Promise<PackedDocument> {
  const plain = await make();
  const packed = await pack(plain, GZIP_LEVEL);
  return { packed, etag: hashOf(plain), unpacked: () => unpack(packed) };
}

/** The hash as it stands in ETags and URLs of documents. */
export function hashOf(content: Buffer | string): string {
  return createHash('sha512').update(content).digest('hex').toUpperCase();
}
