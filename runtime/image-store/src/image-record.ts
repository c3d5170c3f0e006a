import { ImageStoreError } from './image-store-error.ts';

/** What is kept of an image under each of its names. */
export interface ImageRecord {
  readonly format: 'raw' | 'qcow2';
  readonly digest: string;
  readonly sizeBytes: number;
  readonly virtualSizeBytes: number;
  readonly importedAt: string;
}

/** Reads a record. Throws `image-damaged` for anything else: a path is made of the digest. */
export function parseRecord(text: string, reference: string): ImageRecord {
  const record = readJson(text);
  if (isRecord(record)) return record;
  const message = `What is known of the image ${reference} cannot be read; import it again`;
  throw new ImageStoreError('image-damaged', message);
}

/** The name of the file that holds the image. */
export function blobName({ digest, format }: Pick<ImageRecord, 'digest' | 'format'>): string {
  return `${digest.replace(':', '-')}.${format}`;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is ImageRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { format, digest, sizeBytes, virtualSizeBytes, importedAt }: Partial<Record<keyof ImageRecord, unknown>> =
    value;
  return (
    (format === 'raw' || format === 'qcow2') &&
    typeof digest === 'string' &&
    /^sha256:[0-9a-f]{64}$/.test(digest) &&
    typeof sizeBytes === 'number' &&
    typeof virtualSizeBytes === 'number' &&
    typeof importedAt === 'string'
  );
}
