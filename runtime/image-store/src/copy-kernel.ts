import { copyPlainFile } from './copy-image.ts';
import { blobName, INITRD_FILE, KERNEL_FILE, type ImageFile, type ImageRecord } from './image-record.ts';
import type { ImportOptions } from './import-options.ts';

/** The files of a system that is booted without a disk. */
export interface KernelParts {
  readonly kernel: string;
  readonly initrd?: string | undefined;
}

/** Complete copies that have no place yet, and what is to be known of them. */
export interface CopiedParts {
  readonly record: Omit<ImageRecord, 'importedAt'>;
  readonly copies: readonly { readonly name: string; readonly path: string }[];
}

/** Copies a kernel, and what it starts with, each to a new file. */
export async function copyKernel(
  { kernel, initrd }: KernelParts,
  incoming: () => Promise<string>,
  options: ImportOptions,
): Promise<CopiedParts> {
  const first = await copyPart({ source: kernel, shown: KERNEL_FILE, path: await incoming() }, options);
  const second =
    initrd === undefined
      ? []
      : [await copyPart({ source: initrd, shown: INITRD_FILE, path: await incoming() }, options)];
  const parts = [first, ...second];
  const sizeBytes = parts.reduce((sum, { file }) => sum + file.sizeBytes, 0);
  const size = { sizeBytes, virtualSizeBytes: sizeBytes };
  return {
    record: { format: 'raw', digest: first.file.digest, ...size, files: parts.map(({ file }) => file) },
    copies: parts.map(({ copy }) => copy),
  };
}

interface PartSource {
  readonly source: string;
  readonly shown: string;
  readonly path: string;
}

async function copyPart(
  { source, shown, path }: PartSource,
  options: ImportOptions,
): Promise<{ readonly file: ImageFile; readonly copy: CopiedParts['copies'][number] }> {
  const { digest, sizeBytes } = await copyPlainFile(source, path, options);
  return { file: { path: shown, digest, sizeBytes }, copy: { name: blobName({ digest, format: 'raw' }), path } };
}
