import { appendFile, mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { createLogger, type LogFields, type Logger, type LogLevel } from '@smalt/service-runtime';

/** A file that has grown to this size is put aside, and the one that was put aside before it goes. */
const MOST_BYTES = 4 * 1_048_576;
/** What waits for a disk that takes nothing; more is left out. */
const MOST_WAITING_BYTES = 1_048_576;

/** What the agents of this machine write, in a file that `smalt logs` and the console follow, and as far as it is grave also elsewhere. */
export class AgentsLog implements AsyncDisposable {
  readonly path: string;
  readonly logger: Logger;
  #waiting = '';
  #writing: Promise<void> | undefined;
  readonly #onFailure: (error: unknown) => void;
  readonly #mostBytes: number;
  #hasFailed = false;

  private constructor(path: string, grave: Logger, mostBytes: number) {
    this.path = path;
    this.#mostBytes = mostBytes;
    this.#onFailure = (error) => grave.warn({ error }, 'what agents write cannot be kept');
    const own = createLogger({ name: 'agents', level: 'info', destination: { write: (line) => this.#add(line) } });
    this.logger = new BothLoggers(own, grave);
  }

  static async open(directory: string, grave: Logger, mostBytes: number = MOST_BYTES): Promise<AgentsLog> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    return new AgentsLog(join(directory, 'agents.log'), grave, mostBytes);
  }

  /** Resolves when all that was logged is in the file, or cannot be. */
  async [Symbol.asyncDispose](): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
  }

  #add(line: string): void {
    if (this.#waiting.length + line.length > MOST_WAITING_BYTES) return;
    this.#waiting += line;
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  async #write(): Promise<void> {
    // Whatever else is logged in this turn of the event loop goes into the same write.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting !== '') {
      const lines = this.#waiting;
      this.#waiting = '';
      try {
        if ((await sizeOf(this.path)) >= this.#mostBytes) await rename(this.path, `${this.path}.1`);
        await appendFile(this.path, lines, { mode: 0o600 });
        this.#hasFailed = false;
      } catch (error) {
        if (!this.#hasFailed) this.#onFailure(error);
        this.#hasFailed = true;
      }
    }
  }
}

/** Tells two loggers, each of which has a level of its own. */
class BothLoggers implements Logger {
  readonly #own: Logger;
  readonly #other: Logger;

  constructor(own: Logger, other: Logger) {
    this.#own = own;
    this.#other = other;
  }

  get level(): LogLevel {
    return this.#own.level;
  }

  setLevel(level: LogLevel): void {
    this.#own.setLevel(level);
  }

  debug(fields: LogFields, message: string): void {
    for (const logger of [this.#own, this.#other]) logger.debug(fields, message);
  }

  info(fields: LogFields, message: string): void {
    for (const logger of [this.#own, this.#other]) logger.info(fields, message);
  }

  warn(fields: LogFields, message: string): void {
    for (const logger of [this.#own, this.#other]) logger.warn(fields, message);
  }

  error(fields: LogFields, message: string): void {
    for (const logger of [this.#own, this.#other]) logger.error(fields, message);
  }

  child(fields: LogFields): Logger {
    return new BothLoggers(this.#own.child(fields), this.#other.child(fields));
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}
