/** Where a reader is, and what it has found wrong so far. */
export interface Reading {
  /** Such as `fencing.levels[0].url`; empty for the whole file. */
  readonly path: string;
  readonly problems: string[];
}

/** One line of the help: a setting, what it may be, and what it is when nothing is said. */
export interface SettingLine {
  readonly path: string;
  readonly what: string;
  readonly fallback: string | undefined;
  readonly description: string;
}

/** What was read, or undefined when a problem was noted. */
export type Read<T> = { readonly value: T } | undefined;

/** How a part of the configuration looks. The types of settings are checked against it when this is compiled. */
export interface Shape<T> {
  /** In a few words, such as `a whole number of at least 1`. */
  readonly what: string;
  readonly description: string;
  /** What it is when nothing is said; without it something has to be. */
  readonly fallback?: (() => T) | undefined;
  readonly isOptional?: false;
  readonly read: (value: unknown, reading: Reading) => Read<T>;
  readonly lines: (path: string) => readonly SettingLine[];
}

/** A part that may be left out, and is not there then. */
export interface OptionalShape<T> extends Omit<Shape<T>, 'isOptional' | 'fallback'> {
  readonly isOptional: true;
}

export function optional<T>({ what, description, read, lines }: Shape<T>): OptionalShape<T> {
  return { what, description, read, lines, isOptional: true };
}

/** A part that is undefined when nothing is said. */
export function orUndefined<T>(shape: Shape<T>): Shape<T | undefined> {
  return { ...shape, fallback: () => undefined };
}

/** Notes what is wrong, with the field and what to do about it. */
export function complain({ path, problems }: Reading, problem: string): undefined {
  problems.push(path === '' ? problem : `${path}: ${problem}`);
}

/** A value in a message, short; objects are not worth repeating. */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
