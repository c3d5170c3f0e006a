import { complain, shown, type Read, type Reading, type SettingLine, type Shape } from './shape.ts';

interface ScalarOptions<T> {
  readonly what: string;
  readonly description: string;
  readonly fallback?: T | undefined;
  readonly isValid: (value: unknown) => value is T;
}

function scalar<T>({ what, description, fallback, isValid }: ScalarOptions<T>): Shape<T> {
  const line = (path: string): SettingLine => ({
    path,
    what,
    description,
    fallback: fallback === undefined ? undefined : JSON.stringify(fallback),
  });
  return {
    what,
    description,
    ...(fallback === undefined ? {} : { fallback: () => fallback }),
    read: (value: unknown, reading: Reading): Read<T> =>
      isValid(value) ? { value } : complain(reading, `${shown(value)} must be ${what} (${description})`),
    lines: (path) => [line(path)],
  };
}

export interface TextOptions {
  readonly fallback?: string;
  readonly pattern?: RegExp;
  /** What the pattern asks for, such as `an address and a port`. */
  readonly what?: string;
}

/** A text. Without a fallback it may not be empty. */
export function text(description: string, { fallback, pattern, what = 'text' }: TextOptions = {}): Shape<string> {
  const isValid = (value: unknown): value is string =>
    typeof value === 'string' && (value !== '' || fallback === '') && (value === fallback || isMatch(pattern, value));
  return scalar({ what, description, fallback, isValid });
}

function isMatch(pattern: RegExp | undefined, value: string): boolean {
  return pattern === undefined || pattern.test(value);
}

/** The name of a file that holds a secret or a certificate. What is in it is in no message. */
export function file(description: string, fallback?: string): Shape<string> {
  const what = 'the path of a file, from the root';
  return text(description, { what, pattern: /^\//, ...(fallback === undefined ? {} : { fallback }) });
}

export interface NumberOptions {
  readonly fallback?: number;
  readonly least?: number;
  readonly most?: number;
}

export function whole(
  description: string,
  { fallback, least = 0, most = Number.MAX_SAFE_INTEGER }: NumberOptions = {},
): Shape<number> {
  const range = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  const isValid = (value: unknown): value is number =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most;
  return scalar({ what: `a whole number ${range}`, description, fallback, isValid });
}

export function milliseconds(description: string, fallback: number, least = 0): Shape<number> {
  return whole(`${description}, in ms`, { fallback, least });
}

/** Any number. */
export function number(description: string): Shape<number> {
  return scalar({ what: 'a number', description, isValid: isNumber });
}

/** A part of all, from 0 to 1. */
export function share(description: string, fallback: number): Shape<number> {
  return scalar({ what: 'a number from 0 to 1', description, fallback, isValid: isShare });
}

export function flag(description: string, fallback: boolean): Shape<boolean> {
  return scalar({ what: 'true or false', description, fallback, isValid: (value) => typeof value === 'boolean' });
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

/** One of a few words. */
export function choice<const T extends string>(words: readonly T[], description: string, fallback?: T): Shape<T> {
  const isValid = (value: unknown): value is T => words.some((word) => word === value);
  return scalar({
    what: words.length === 1 ? `${words[0]}` : `one of ${words.join(', ')}`,
    description,
    fallback,
    isValid,
  });
}
