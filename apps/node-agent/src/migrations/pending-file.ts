import { readFile } from 'node:fs/promises';

import { writeFileSafely } from '@smalt/files';
import type { Ignore, Logger } from '@smalt/service-runtime';

import { isPendingRecord, type PendingRecord } from './pending-record.ts';

interface FileDeps {
  readonly ignore: Ignore;
  readonly logger: Logger;
}

/** Keeps what the API has not taken yet in a file. Whoever reads it finds the old content or the new one, also after a crash. */
export class PendingFile {
  readonly #path: string;
  readonly #deps: FileDeps;
  #saving: Promise<void> = Promise.resolve();
  #next: readonly PendingRecord[] | undefined;

  constructor(path: string, deps: FileDeps) {
    this.#path = path;
    this.#deps = deps;
  }

  /** What was kept; nothing if there is no file, or none that makes sense. */
  async load(): Promise<readonly PendingRecord[]> {
    try {
      const content: unknown = JSON.parse(await readFile(this.#path, 'utf8'));
      const entries: readonly unknown[] = Array.isArray(content) ? content : [content];
      const records = entries.filter(isPendingRecord);
      const leftOut = entries.length - records.length;
      if (leftOut > 0) this.#deps.logger.warn({ path: this.#path, leftOut }, 'some of what was kept makes no sense');
      return records;
    } catch (error) {
      if (Object(error).code === 'ENOENT') return [];
      this.#deps.logger.warn({ path: this.#path, error }, 'what was kept of migrations cannot be read');
      return [];
    }
  }

  /** Keeps this, as soon as what is being kept is on the disk. What a full disk refuses is tried again with the next change. */
  save(pending: readonly PendingRecord[]): void {
    if (this.#next === undefined) this.#saving = this.#saving.then(() => this.#saveNext());
    this.#next = pending;
  }

  /** Resolves when all that was handed over is on the disk. */
  async flush(): Promise<void> {
    await this.#saving;
  }

  async #saveNext(): Promise<void> {
    const pending = this.#next ?? [];
    this.#next = undefined;
    try {
      await writeFileSafely(this.#path, `${JSON.stringify(pending)}\n`);
    } catch (error) {
      this.#deps.ignore(error, 'migrations cannot be kept on disk; they are still in memory');
    }
  }
}
