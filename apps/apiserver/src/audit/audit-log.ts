import { open, rename, rm, type FileHandle } from 'node:fs/promises';

import type { JsonObject } from '@smalt/json';

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
const DEFAULT_KEPT_FILES = 3;
const DEFAULT_MAX_BUFFERED_BYTES = 8 * 1024 * 1024;

export interface AuditLogOptions {
  /** Older files are beside it, with `.1`, `.2` and so on at the end. */
  readonly path: string;
  /** A file that has grown to this size is put aside. */
  readonly maxBytes?: number;
  /** How many files there are at most, that being written included. */
  readonly keptFiles?: number;
  /** What is to be written and does not fit into this much memory is dropped and counted. */
  readonly maxBufferedBytes?: number;
  /** Is told when a write fails, once until one succeeds again, and when events do not fit, once until all is written. */
  readonly onFailure: (error: unknown) => void;
}

/** Writes one line of JSON per event, without ever making a request wait for the disk. */
export class AuditLog implements AsyncDisposable {
  readonly #options: Required<AuditLogOptions>;
  #lines: string[] = [];
  #bufferedBytes = 0;
  #dropped = 0;
  #file: FileHandle;
  #fileBytes: number;
  #writing: Promise<void> | undefined;
  #hasFailed = false;
  #isOverflowing = false;
  #isClosed = false;

  private constructor(options: Required<AuditLogOptions>, file: FileHandle, fileBytes: number) {
    this.#options = options;
    this.#file = file;
    this.#fileBytes = fileBytes;
  }

  /** Opens the file to add to it. */
  static async open(options: AuditLogOptions): Promise<AuditLog> {
    const file = await openFile(options.path);
    const { size } = await file.stat();
    const defaults = {
      maxBytes: DEFAULT_MAX_BYTES,
      keptFiles: DEFAULT_KEPT_FILES,
      maxBufferedBytes: DEFAULT_MAX_BUFFERED_BYTES,
    };
    return new AuditLog({ ...defaults, ...options }, file, size);
  }

  /** How many events were not written, because the disk was too slow or full. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Takes an event; it is written soon. */
  add(event: JsonObject): void {
    const line = `${JSON.stringify(event)}\n`;
    const bytes = Buffer.byteLength(line);
    if (this.#isClosed || this.#bufferedBytes + bytes > this.#options.maxBufferedBytes) {
      this.#drop();
      return;
    }
    this.#lines.push(line);
    this.#bufferedBytes += bytes;
    this.#writing ??= this.#writeAll().finally(() => (this.#writing = undefined));
  }

  /** Resolves when all events that were taken are written or dropped. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.flush();
    await this.#file.close();
  }

  async #writeAll(): Promise<void> {
    // Whatever else is added in this turn of the event loop goes into the same write.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#lines.length > 0) {
      const lines = this.#lines;
      const bytes = this.#bufferedBytes;
      this.#lines = [];
      try {
        if (this.#fileBytes >= this.#options.maxBytes) await this.#rotate();
        await this.#file.appendFile(lines.join(''));
        this.#fileBytes += bytes;
        this.#hasFailed = false;
      } catch (error) {
        this.#dropped += lines.length;
        if (!this.#hasFailed) this.#options.onFailure(error);
        this.#hasFailed = true;
      }
      this.#bufferedBytes -= bytes;
    }
    this.#isOverflowing = false;
  }

  #drop(): void {
    this.#dropped++;
    if (this.#isOverflowing || this.#isClosed) return;
    this.#isOverflowing = true;
    const { maxBufferedBytes } = this.#options;
    this.#options.onFailure(
      new Error(`audit events are dropped: more than ${maxBufferedBytes} bytes wait for the disk`),
    );
  }

  async #rotate(): Promise<void> {
    const { path, keptFiles } = this.#options;
    const names = Array.from({ length: keptFiles }, (_, index) => (index === 0 ? path : `${path}.${index}`));
    await rm(names.at(-1) ?? path, { force: true });
    for (let index = names.length - 2; index >= 0; index--) {
      await renameIfThere(names[index] ?? path, names[index + 1] ?? path);
    }
    const old = this.#file;
    this.#file = await openFile(path);
    this.#fileBytes = 0;
    await old.close();
  }
}

async function openFile(path: string): Promise<FileHandle> {
  return open(path, 'a', 0o600);
}

async function renameIfThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
