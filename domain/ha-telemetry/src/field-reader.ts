import { TelemetryError, type TelemetryErrorCode } from './telemetry-error.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** Reads the fields of something that came from outside. Every complaint names the field by its path. */
export class FieldReader {
  readonly path: string;
  readonly #value: Mapping;
  readonly #code: TelemetryErrorCode;

  constructor(value: unknown, path: string, code: TelemetryErrorCode) {
    this.path = path;
    this.#code = code;
    if (!isMapping(value)) throw new TelemetryError(code, `${path || 'it'} must be an object`, { field: path });
    this.#value = value;
  }

  names(): readonly string[] {
    return Object.keys(this.#value);
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined;
  }

  raw(name: string): unknown {
    return Object.hasOwn(this.#value, name) ? this.#value[name] : undefined;
  }

  /** A text that is not empty. */
  text(name: string, maxLength: number): string {
    const value = this.raw(name);
    if (typeof value !== 'string' || value === '') return this.fail(name, 'must be a text that is not empty');
    if (value.length > maxLength) return this.fail(name, `must have at most ${maxLength} characters`);
    return value;
  }

  integer(name: string, least: number, most: number = Number.MAX_SAFE_INTEGER): number {
    const value = this.raw(name);
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    const limit = most === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${most}`;
    return this.fail(name, `must be a whole number, at least ${least}${limit}`);
  }

  number(name: string, least: number, most: number): number {
    const value = this.raw(name);
    if (typeof value === 'number' && value >= least && value <= most) return value;
    return this.fail(name, `must be a number from ${least} to ${most}`);
  }

  /** A moment as `2026-01-02T03:04:05.678Z`. */
  time(name: string): string {
    const value = this.raw(name);
    const isTime =
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]{8,18}Z$/.test(value) && !Number.isNaN(Date.parse(value));
    return isTime ? value : this.fail(name, 'must be a time such as 2026-01-02T03:04:05.678Z');
  }

  oneOf<Word extends string>(name: string, words: readonly Word[]): Word {
    const value = this.raw(name);
    const found = words.find((word) => word === value);
    return found ?? this.fail(name, `must be one of ${words.join(', ')}`);
  }

  list(name: string, maxLength: number): readonly unknown[] {
    const value = this.raw(name);
    if (!Array.isArray(value)) return this.fail(name, 'must be a list');
    if (value.length > maxLength) return this.fail(name, `must have at most ${maxLength} entries`);
    return value;
  }

  /** The entries of a list, each an object. */
  objects(name: string, maxLength: number): readonly FieldReader[] {
    const path = this.#pathOf(name);
    return this.list(name, maxLength).map((entry, index) => new FieldReader(entry, `${path}[${index}]`, this.#code));
  }

  object(name: string): FieldReader {
    return new FieldReader(this.raw(name), this.#pathOf(name), this.#code);
  }

  fail(name: string, complaint: string): never {
    const field = this.#pathOf(name);
    throw new TelemetryError(this.#code, `${field} ${complaint}`, { field });
  }

  #pathOf(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`;
  }
}

function isMapping(value: unknown): value is Mapping {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
