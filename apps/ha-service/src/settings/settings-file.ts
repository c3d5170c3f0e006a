import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

import { messageOf, type Ignore, type Logger } from '@smalt/service-runtime';

import { HaServiceError } from '../ha-service-error.ts';
import type { ServiceClock } from '../ports/service-clock.ts';
import type { HaServiceSettings } from './ha-service-settings.ts';
import { parseSettings } from './parse-settings.ts';
import { planReload } from './plan-reload.ts';

/** How often the file is looked at where no word comes of its changes. */
const POLL_MS = 10_000;
/** A file that is being written in several steps is read once they are over. */
const SETTLE_MS = 100;

export interface SettingsFileDeps {
  readonly clock: ServiceClock;
  readonly logger: Logger;
  readonly ignore: Ignore;
  /** Called after the settings have changed, or after what is wrong with the file has. */
  readonly onChange: () => void;
}

/** The settings as a file has them. While the file is wrong, what was right before stays. */
export class SettingsFile {
  readonly path: string;
  #text: string;
  #current: HaServiceSettings;
  #trouble: string | undefined;
  #waitsForRestart: readonly string[] = [];

  private constructor(path: string, text: string) {
    this.path = path;
    this.#text = text;
    this.#current = parseSettings(text);
  }

  /** Reads the file for the first time: what is wrong then is an error. */
  static async open(path: string): Promise<SettingsFile> {
    const text = await readText(path);
    try {
      return new SettingsFile(path, text);
    } catch (error) {
      if (!(error instanceof HaServiceError)) throw error;
      throw new HaServiceError(error.code, withPath(path, error.message), { cause: error });
    }
  }

  get current(): HaServiceSettings {
    return this.#current;
  }

  /** What is wrong with the file at present, with the names of the fields. */
  get trouble(): string | undefined {
    return this.#trouble;
  }

  /** Fields that the file has changed and that are as before until the next start. */
  get waitsForRestart(): readonly string[] {
    return this.#waitsForRestart;
  }

  /** Follows the file until the signal fires; a wrong file changes nothing but `trouble`. */
  async follow(deps: SettingsFileDeps, signal: AbortSignal): Promise<void> {
    const bell = new Bell();
    using _ = this.#watchDirectory(bell, deps);
    while (!signal.aborted) {
      await this.#load(deps);
      await bell.wait(deps.clock, signal);
    }
  }

  async #load(deps: SettingsFileDeps): Promise<void> {
    const before = this.#trouble;
    try {
      const text = await readText(this.path);
      if (text === this.#text && before === undefined) return;
      const reload = planReload(this.#current, parseSettings(text));
      this.#text = text;
      this.#trouble = undefined;
      this.#current = reload.settings;
      this.#waitsForRestart = reload.waitsForRestart;
      const { changed, waitsForRestart } = reload;
      deps.logger.info({ path: this.path, changed, waitsForRestart }, 'the configuration has changed');
    } catch (error) {
      if (messageOf(error) === before) return;
      this.#trouble = messageOf(error);
      deps.logger.error({ path: this.path, error }, 'the configuration is wrong; what was right before stays');
    }
    deps.onChange();
  }

  // A mounted ConfigMap is swapped by renaming the link `..data` beside the file, so it is the directory that changes.
  #watchDirectory(bell: Bell, { ignore }: SettingsFileDeps): Disposable {
    const why = 'the configuration is looked at now and then';
    try {
      const watcher = watch(dirname(this.path), { persistent: false }, () => bell.ring());
      watcher.on('error', (error) => ignore(error, why));
      return { [Symbol.dispose]: () => watcher.close() };
    } catch (error) {
      ignore(error, why);
      return { [Symbol.dispose]: () => undefined };
    }
  }
}

/** Wakes who waits; rings that come while nobody waits count for the next wait. */
class Bell {
  #rung = new AbortController();

  ring(): void {
    this.#rung.abort();
  }

  async wait(clock: ServiceClock, signal: AbortSignal): Promise<void> {
    const until = AbortSignal.any([signal, this.#rung.signal]);
    await clock.wait(POLL_MS, until).catch(() => undefined);
    if (!this.#rung.signal.aborted || signal.aborted) return;
    await clock.wait(SETTLE_MS, signal).catch(() => undefined);
    this.#rung = new AbortController();
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new HaServiceError('unreadable-file', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
  }
}

function withPath(path: string, message: string): string {
  return message
    .split('\n')
    .map((line) => `${path}: ${line}`)
    .join('\n');
}
