import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { defaultReportSettings, parseReportSettings, type ReportSettings } from '@smalt/ha-telemetry';
import type { Ignore } from '@smalt/service-runtime';

import { Doorbell } from './doorbell.ts';

const POLL_MS = 30_000;
/** A file that is being written in several steps is read once they are over. */
const SETTLE_MS = 50;

export interface ReportSettingsDeps {
  readonly path: string | undefined;
  readonly ignore: Ignore;
  /** Called after the content of the file has changed, whether it can be used or not. */
  readonly onChange: () => void;
}

/** The report settings as a file has them. While the file is wrong, what was right before stays. */
export class ReportSettingsFile {
  readonly #deps: ReportSettingsDeps;
  #text: string | undefined;
  #current: ReportSettings = defaultReportSettings;
  #trouble: string | undefined;

  constructor(deps: ReportSettingsDeps) {
    this.#deps = deps;
  }

  get current(): ReportSettings {
    return this.#current;
  }

  /** What is wrong with the file at present, with the name of the field. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Reads the file if it has changed. */
  async load(): Promise<void> {
    const { path, onChange } = this.#deps;
    if (path === undefined) return;
    const before = this.#trouble;
    try {
      const text = await readFile(path, 'utf8');
      if (text === this.#text) return;
      this.#text = text;
      const { parse } = await import('yaml');
      this.#current = parseReportSettings(parse(text, { uniqueKeys: true }));
      this.#trouble = undefined;
    } catch (error) {
      if (isMissing(error)) this.#text = undefined;
      this.#trouble = `${path}: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)}`;
      if (this.#trouble === before) return;
    }
    onChange();
  }

  /** Follows the file until the signal fires. */
  async follow(signal: AbortSignal): Promise<void> {
    const { path } = this.#deps;
    if (path === undefined) return;
    const bell = new Doorbell();
    using _ = this.#watchDirectory(dirname(path), bell);
    // Once more, for what has changed before the directory was watched.
    while (!signal.aborted) {
      await this.load();
      bell.ring(POLL_MS);
      await bell.wait(signal);
    }
  }

  // A mounted ConfigMap is swapped by renaming the link `..data` beside the file, so it is the directory that changes.
  #watchDirectory(directory: string, bell: Doorbell): Disposable {
    const { ignore } = this.#deps;
    try {
      const watcher = watch(directory, { persistent: false }, () => bell.ring(SETTLE_MS));
      watcher.on('error', (error) => ignore(error, 'the directory of the report settings is looked at now and then'));
      return { [Symbol.dispose]: () => watcher.close() };
    } catch (error) {
      ignore(error, 'the directory of the report settings is looked at now and then');
      return { [Symbol.dispose]: () => undefined };
    }
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
