import type { PullReading } from './pull-reading.ts';

export interface ItemPaths {
  readonly value: string;
  readonly time: string | undefined;
}

/** The list in an answer of JSON; undefined where there is none. */
export function itemsOf(answer: unknown, path: string | undefined): readonly unknown[] | undefined {
  const found = path === undefined ? answer : at(answer, path);
  return Array.isArray(found) ? found : undefined;
}

/** What one thing of the list says; undefined when its value is no number. */
export function readItem(item: unknown, paths: ItemPaths): PullReading | undefined {
  const value = numberIn(at(item, paths.value));
  if (value === undefined) return undefined;
  const seconds = paths.time === undefined ? undefined : numberIn(at(item, paths.time));
  // A time that is asked for and cannot be read leaves the age of the value open.
  if (paths.time !== undefined && seconds === undefined) return undefined;
  return {
    field: (name) => textIn(at(item, name)),
    value,
    timeMs: seconds === undefined ? undefined : seconds * 1_000,
  };
}

function at(value: unknown, path: string): unknown {
  let found = value;
  for (const name of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Reflect.get(found, name);
  }
  return found;
}

function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

/** A number, one in a text, `true` and `false` as 1 and 0, or a time in seconds since 1970. */
function numberIn(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' && value.trim() !== '') {
    const number = Number(value);
    return Number.isNaN(number) ? secondsOf(value) : finite(number);
  }
  return typeof value === 'number' ? finite(value) : undefined;
}

function finite(number: number): number | undefined {
  return Number.isFinite(number) ? number : undefined;
}

function secondsOf(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined;
  return finite(Date.parse(text) / 1_000);
}
