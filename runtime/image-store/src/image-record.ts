import { ImageStoreError } from './image-store-error.ts';

/** Where the parts of a kernel show. */
export const KERNEL_FILE = 'boot/vmlinuz';
export const INITRD_FILE = 'boot/initrd';

/** What is kept of an image under each of its names. */
export interface ImageRecord {
  readonly format: 'raw' | 'qcow2';
  readonly digest: string;
  readonly sizeBytes: number;
  readonly virtualSizeBytes: number;
  readonly importedAt: string;
  /** What it shows instead of a disk, if it is none: the parts of a system that is booted directly. */
  readonly files?: readonly ImageFile[] | undefined;
}

export interface ImageFile {
  /** Where it shows, such as `boot/vmlinuz`. */
  readonly path: string;
  readonly digest: string;
  readonly sizeBytes: number;
}

/** Reads a record. Throws `image-damaged` for anything else: a path is made of the digest. */
export function parseRecord(text: string, reference: string): ImageRecord {
  const record = readJson(text);
  if (isRecord(record)) return record;
  const message = `What is known of the image ${reference} cannot be read; import it again`;
  throw new ImageStoreError('image-damaged', message);
}

/** What of an image is kept where: one file for a disk, one for each part of anything else. */
export function blobsOf(record: ImageRecord): readonly { readonly name: string; readonly sizeBytes: number }[] {
  const parts = record.files?.map((file) => ({ ...file, format: 'raw' as const })) ?? [record];
  return parts.map((part) => ({ name: blobName(part), sizeBytes: part.sizeBytes }));
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
  const { format, virtualSizeBytes, importedAt, files = [] }: Partial<Record<keyof ImageRecord, unknown>> = value;
  return (
    (format === 'raw' || format === 'qcow2') &&
    hasDigest(value) &&
    typeof virtualSizeBytes === 'number' &&
    typeof importedAt === 'string' &&
    Array.isArray(files) &&
    files.every((file) => isFile(file))
  );
}

function isFile(value: unknown): value is ImageFile {
  if (typeof value !== 'object' || value === null || !hasDigest(value)) return false;
  return 'path' in value && (value.path === KERNEL_FILE || value.path === INITRD_FILE);
}

function hasDigest(value: object): boolean {
  const { digest, sizeBytes }: Partial<Record<'digest' | 'sizeBytes', unknown>> = value;
  return typeof digest === 'string' && /^sha256:[0-9a-f]{64}$/.test(digest) && typeof sizeBytes === 'number';
}
