import { access, open, rename, type FileHandle } from 'node:fs/promises';

import type { JsonObject } from '@smalt/json';

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
const DEFAULT_KEPT_FILES = 3;
const DEFAULT_MAX_BUFFERED_BYTES = 8 * 1024 * 1024;
/** A file that cannot be put aside grows on, to so many times its size at most. */
const OVERSIZE = 2;

export interface AuditLogOptions {
  /** Older files are beside it, with `.1`, `.2` and so on at the end. */
  readonly path: string;
  /** A file that has grown to this size is put aside. */
  readonly maxBytes?: number;
  /** How many files there are at most, that being written included. */
  readonly keptFiles?: number;
  /** What is to be written and does not fit into this much memory is dropped and counted. */
  readonly maxBufferedBytes?: number;
  /**
   * Is told when a write fails, once until one succeeds again, when a full file cannot be put aside, once until it can,
   * and when events do not fit, once until all is written.
   */
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
  #hasFailedToRotate = false;
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
        if (this.#fileBytes >= this.#options.maxBytes) await this.#tryToRotate();
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

  // Nothing is lost while the full file can take more: the next write tries again.
  async #tryToRotate(): Promise<void> {
    try {
      await this.#rotate();
      this.#hasFailedToRotate = false;
    } catch (error) {
      if (this.#fileBytes >= OVERSIZE * this.#options.maxBytes) throw error;
      if (!this.#hasFailedToRotate) this.#options.onFailure(error);
      this.#hasFailedToRotate = true;
    }
  }

  async #rotate(): Promise<void> {
    const { path, keptFiles } = this.#options;
    // What may fail for lack of room or descriptors comes first: then the older files are still what they were.
    const next = await openFile(`${path}.new`);
    try {
      await shift(Array.from({ length: keptFiles }, (_, index) => (index === 0 ? path : `${path}.${index}`)));
      await rename(`${path}.new`, path);
    } catch (error) {
      await next.close();
      throw error;
    }
    const old = this.#file;
    this.#file = next;
    this.#fileBytes = 0;
    await old.close();
  }
}

/**
 * Moves each file into the place of the next one, up to the first place that is free; without one, the last is replaced. So one that was
 * interrupted goes on where it was, and pushes nothing out a second time.
 */
async function shift(places: readonly string[]): Promise<void> {
  const taken = await Promise.all(places.map(isThere));
  const free = taken.indexOf(false);
  for (let index = free === -1 ? places.length - 1 : free; index > 0; index--) {
    const [from, to] = [places[index - 1], places[index]];
    if (from !== undefined && to !== undefined) await rename(from, to);
  }
}

async function openFile(path: string): Promise<FileHandle> {
  return open(path, 'a', 0o600);
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}
