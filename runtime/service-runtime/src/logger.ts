import pino from 'pino';

import { prettyLine } from './pretty-line.ts';

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

/** Makes the logger of a process. Fields that are named like secrets are shown as `[redacted]`. */
export function createLogger(options: LoggerOptions): Logger {
  const { name, level = 'info', format = 'json', destination, redact = [] } = options;
  const isPretty = format === 'pretty';
  const sink = isPretty ? { write: (line: string) => void destination.write(prettyLine(line)) } : destination;
  const root = pino(
    {
      name,
      level: 'debug',
      timestamp: pino.stdTimeFunctions.isoTime,
      base: { pid: process.pid },
      formatters: { level: (label) => ({ level: label }) },
      serializers: { error: pino.stdSerializers.err },
      redact: { paths: [...SECRETS, ...SECRETS.map((secret) => `*.${secret}`), ...redact], censor: '[redacted]' },
    },
    { write: (line: string) => void sink.write(line) },
  );
  return new PinoLogger(root, { level });
}

export function isLogLevel(value: unknown): value is LogLevel {
  return typeof value === 'string' && Object.hasOwn(LEVELS, value);
}

class PinoLogger implements Logger {
  readonly #pino: pino.Logger;
  readonly #shared: { level: LogLevel };

  constructor(logger: pino.Logger, shared: { level: LogLevel }) {
    this.#pino = logger;
    this.#shared = shared;
  }

  get level(): LogLevel {
    return this.#shared.level;
  }

  setLevel(level: LogLevel): void {
    this.#shared.level = level;
  }

  debug(fields: LogFields, message: string): void {
    if (this.#isOn('debug')) this.#pino.debug(fields, message);
  }

  info(fields: LogFields, message: string): void {
    if (this.#isOn('info')) this.#pino.info(fields, message);
  }

  warn(fields: LogFields, message: string): void {
    if (this.#isOn('warn')) this.#pino.warn(fields, message);
  }

  error(fields: LogFields, message: string): void {
    if (this.#isOn('error')) this.#pino.error(fields, message);
  }

  child(fields: LogFields): Logger {
    return new PinoLogger(this.#pino.child(fields), this.#shared);
  }

  #isOn(level: LogLevel): boolean {
    return LEVELS[level] >= LEVELS[this.#shared.level];
  }
}
