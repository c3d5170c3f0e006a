import { prettyLine } from './pretty-line.ts';
import { Redaction } from './redaction.ts';
import { showFields } from './show-fields.ts';

const LEVELS = { debug: 20, info: 30, warn: 40, error: 50, silent: 100 } as const;

export type LogLevel = keyof typeof LEVELS;
export type LogFields = Readonly<Record<string, unknown>>;

/** One line per decision: the facts as fields, the sentence as message. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A logger whose lines all carry these fields. It shares the level of this one. */
  child(fields: LogFields): Logger;
  readonly level: LogLevel;
  /** Takes effect at once, for this logger, its parents and its children. */
  setLevel(level: LogLevel): void;
}

export interface LoggerOptions {
  /** The program, in each line. */
  readonly name: string;
  readonly level?: LogLevel;
  /** `json` is for programs, `pretty` for a person at a terminal. */
  readonly format?: 'json' | 'pretty';
  /** Gets one whole line at a time. */
  readonly destination: { write(line: string): unknown };
  /** Further fields whose values are never shown, such as `connection.uri`. */
  readonly redact?: readonly string[];
}

const SECRETS = ['authorization', 'password', 'privateKey', 'secret', 'token'];

/** Makes the logger of a process. Fields that are named like secrets are shown as `[redacted]`, however deep they are. */
export function createLogger(options: LoggerOptions): Logger {
  const { name, level = 'info', format = 'json', destination, redact = [] } = options;
  const isPretty = format === 'pretty';
  const root = {
    level,
    head: { pid: process.pid, name },
    redaction: new Redaction(SECRETS, redact),
    write: (line: string) => void destination.write(isPretty ? prettyLine(line) : line),
  };
  return new LineLogger(root, {});
}

export function isLogLevel(value: unknown): value is LogLevel {
  return typeof value === 'string' && Object.hasOwn(LEVELS, value);
}

/** What a logger and all its children have in common. */
interface Root {
  level: LogLevel;
  readonly head: LogFields;
  readonly redaction: Redaction;
  readonly write: (line: string) => void;
}

class LineLogger implements Logger {
  readonly #root: Root;
  readonly #bound: LogFields;

  constructor(root: Root, bound: LogFields) {
    this.#root = root;
    this.#bound = bound;
  }

  get level(): LogLevel {
    return this.#root.level;
  }

  setLevel(level: LogLevel): void {
    this.#root.level = level;
  }

  debug(fields: LogFields, message: string): void {
    this.#log('debug', fields, message);
  }

  info(fields: LogFields, message: string): void {
    this.#log('info', fields, message);
  }

  warn(fields: LogFields, message: string): void {
    this.#log('warn', fields, message);
  }

  error(fields: LogFields, message: string): void {
    this.#log('error', fields, message);
  }

  child(fields: LogFields): Logger {
    return new LineLogger(this.#root, { ...this.#bound, ...fields });
  }

  #log(level: LogLevel, fields: LogFields, message: string): void {
    const { head, redaction, write } = this.#root;
    if (LEVELS[level] < LEVELS[this.#root.level]) return;
    const shown = showFields({ ...this.#bound, ...fields }, redaction);
    const line = { level, time: new Date().toISOString(), ...head, ...shown, msg: message };
    write(`${JSON.stringify(line)}\n`);
  }
}
