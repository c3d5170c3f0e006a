import { watch } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';

import { LineSplitter } from './line-splitter.ts';

export interface FollowFileOptions {
  readonly path: string;
  /** How many of the last lines come first. */
  readonly lines: number;
  /** Whether what is written later follows. */
  readonly isFollowed: boolean;
}

/** How far back the last lines are looked for. */
const MOST_PAST_BYTES = 1_048_576;
const CHUNK_BYTES = 65_536;

/**
 * The last lines of a file, then what is written to it, also when it is rotated or begun anew. Nothing is read ahead of who
 * iterates. Ends at once where there is no such directory; a file that is not there yet is waited for.
 */
export async function* followFile(
  { path, lines, isFollowed }: FollowFileOptions,
  signal: AbortSignal,
): AsyncGenerator<readonly string[], void> {
  // Before the first look, so that nothing is missed in between.
  using changes = isFollowed ? watchFile(path, signal) : undefined;
  await using tail = new FileTail(path);
  yield await tail.past(lines);
  if (changes === undefined) return yield lines === 0 ? [] : tail.rest();
  while (!signal.aborted) {
    for await (const part of tail.news()) yield part;
    await changes.next();
  }
}

/** A file that is read where it grows. */
class FileTail implements AsyncDisposable {
  readonly #path: string;
  #file: FileHandle | undefined;
  #position = 0;
  #splitter = new LineSplitter();

  constructor(path: string) {
    this.#path = path;
  }

  async past(lines: number): Promise<readonly string[]> {
    this.#file = await openIfThere(this.#path);
    if (this.#file === undefined) return [];
    const { size } = await this.#file.stat();
    this.#position = Math.max(0, size - MOST_PAST_BYTES);
    const isCut = this.#position > 0;
    const found: string[] = [];
    for await (const part of this.#read(size)) found.push(...part);
    if (isCut) found.shift();
    return lines === 0 ? [] : found.slice(-lines);
  }

  /** A last line that has no end. */
  rest(): readonly string[] {
    return this.#splitter.rest();
  }

  async *news(): AsyncGenerator<readonly string[]> {
    const isReplaced = await this.#isReplaced();
    // After that look, so that what was written last before the file got another name is read too.
    yield* this.#grown();
    if (!isReplaced) return;
    await this.#file?.close();
    this.#file = await openIfThere(this.#path);
    this.#begin();
    yield* this.#grown();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close();
  }

  #begin(): void {
    this.#position = 0;
    this.#splitter = new LineSplitter();
  }

  /** Another file has the name by now: it was rotated. */
  async #isReplaced(): Promise<boolean> {
    await using now = await openIfThere(this.#path);
    if (now === undefined) return false;
    const [mine, theirs] = await Promise.all([this.#file?.stat(), now.stat()]);
    return mine === undefined || mine.ino !== theirs.ino || mine.dev !== theirs.dev;
  }

  async *#grown(): AsyncGenerator<readonly string[]> {
    if (this.#file === undefined) return;
    const { size } = await this.#file.stat();
    if (size < this.#position) this.#begin();
    yield* this.#read(size);
  }

  async *#read(end: number): AsyncGenerator<readonly string[]> {
    while (this.#file !== undefined && this.#position < end) {
      const length = Math.min(CHUNK_BYTES, end - this.#position);
      const { bytesRead, buffer } = await this.#file.read(Buffer.alloc(length), 0, length, this.#position);
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      const lines = this.#splitter.push(buffer.subarray(0, bytesRead));
      if (lines.length > 0) yield lines;
    }
  }
}

interface FileChanges extends Disposable {
  /** Resolves when the file may have changed since the last call, or when the signal fires. */
  next(): Promise<void>;
}

function watchFile(path: string, signal: AbortSignal): FileChanges | undefined {
  let changed = Promise.withResolvers<void>();
  const wake = (): void => changed.resolve();
  const name = basename(path);
  try {
    // The directory, not the file: it tells of one that comes later, and of one that takes its place.
    const watcher = watch(dirname(path), { persistent: false, signal }, (_event, file) => {
      if (file === null || file === name) wake();
    });
    watcher.on('error', wake);
    signal.addEventListener('abort', wake, { once: true });
    return {
      next: async () => {
        await changed.promise;
        if (!signal.aborted) changed = Promise.withResolvers();
      },
      [Symbol.dispose]: () => {
        signal.removeEventListener('abort', wake);
        watcher.close();
      },
    };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
