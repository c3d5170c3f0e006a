import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';

import { buildDemoDisk, ensureGuestImage, isGuestWord, type GuestWord } from '@smalt/guest-image';
import { openImageStore, type ImageStore, type ImportProgress, type StoredImage } from '@smalt/image-store';

import { OUTPUT_FORMATS, type OutputFormat } from '../output/command-flags.ts';
import { listText } from '../output/print-list.ts';
import { SmaltError } from '../smalt-error.ts';
import { byteText } from './byte-text.ts';
import { progressLine } from './progress-line.ts';

/** What the commands need of the process that they run in. */
export interface ImageProgram {
  readonly output: { write(text: string): unknown };
  /** Where progress is shown; on a terminal the line is written over. */
  readonly errors: { readonly isTerminal: boolean; write(text: string): unknown };
  readonly signal: AbortSignal;
  readonly now: () => Date;
}

type Flags = Readonly<Record<string, unknown>>;

/** Takes a file into the store and prints what it became. */
export async function runImport(
  program: ImageProgram,
  { file, name }: { readonly file: string; readonly name: string },
  flags: Flags,
): Promise<void> {
  const onProgress = progressLine(program, 'importing');
  const { signal } = program;
  const image = await storeOf(flags)
    .importFile(file, name, { signal, onProgress: (progress: ImportProgress) => onProgress.show(progress) })
    .finally(() => onProgress.clear());
  await printImages(program, [image], flags);
}

/** Takes a kernel, and what it starts with, into the store. */
export async function runImportKernel(
  program: ImageProgram,
  { kernel, name }: { readonly kernel: string; readonly name: string },
  flags: Flags,
): Promise<void> {
  const { initrd } = flags;
  const parts = { kernel, initrd: typeof initrd === 'string' ? initrd : undefined };
  await printImages(program, [await storeOf(flags).importKernel(parts, name, { signal: program.signal })], flags);
}

export async function runList(program: ImageProgram, flags: Flags): Promise<void> {
  await printImages(program, await storeOf(flags).list(), flags);
}

export async function runRemove(program: ImageProgram, name: string, flags: Flags): Promise<void> {
  await storeOf(flags).remove(name);
  const format = formatOf(flags);
  const value = { removed: name };
  program.output.write(
    format === 'table' ? `${name} is removed\n` : await listText({ columns: [], rows: [], empty: '', value }, format),
  );
}

/** Makes the demo disk beside the images, where there is room for it, and takes it into the store. */
export async function runBuildDemo(program: ImageProgram, name: string, flags: Flags): Promise<void> {
  const words = demoWords(flags['word']);
  const store = storeOf(flags);
  const { signal } = program;
  await mkdir(store.directory, { recursive: true, mode: 0o755 });
  await using work = await mkdtempDisposable(join(store.directory, '.build-'));
  const path = join(work.path, 'disk.img');
  if (program.errors.isTerminal) program.errors.write('making a small Linux of Debian packages\n');
  await buildDemoDisk({ path, image: await ensureGuestImage({ signal }), words, signal });
  await printImages(program, [await store.importFile(path, name, { signal })], flags);
}

function demoWords(given: unknown): readonly GuestWord[] | undefined {
  if (!Array.isArray(given)) return undefined;
  return given.map((word: unknown) => {
    if (typeof word === 'string' && isGuestWord(word)) return word;
    throw new SmaltError(
      'wrong-use',
      `--word ${String(word)}: the demo does not know it; see its README for those it knows`,
    );
  });
}

function storeOf({ images }: Flags): ImageStore {
  return openImageStore(typeof images === 'string' ? images : undefined);
}

async function printImages({ output, now }: ImageProgram, images: readonly StoredImage[], flags: Flags): Promise<void> {
  const rows = images.map((image) => [
    image.reference,
    image.files === undefined ? image.format : 'kernel',
    byteText(image.sizeBytes),
    byteText(image.virtualSizeBytes),
    ageText(now().getTime() - image.importedAt.getTime()),
    image.digest.slice(0, 'sha256:'.length + 12),
  ]);
  const columns = ['NAME', 'FORMAT', 'SIZE', 'DISK', 'AGE', 'DIGEST'];
  const empty = 'There are no images; make one with: smalt image build-demo';
  output.write(await listText({ columns, rows, empty, value: images }, formatOf(flags)));
}

function formatOf({ output }: Flags): OutputFormat {
  return OUTPUT_FORMATS.find((format) => format === output) ?? 'table';
}

function ageText(ageMs: number): string {
  const minutes = Math.max(0, Math.floor(ageMs / 60_000));
  if (minutes < 60) return `${minutes}m`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)}h` : `${Math.floor(minutes / 1440)}d`;
}
