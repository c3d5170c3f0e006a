import { nearestName } from '@smalt/service-runtime';

import { complain, shown, type OptionalShape, type Read, type Reading, type Shape } from './shape.ts';

/** The shape of every field; only fields that may be missing may be optional. */
export type Fields<T> = {
  readonly [K in keyof T]-?: Partial<Pick<T, K>> extends Pick<T, K> ? Shape<T[K]> | OptionalShape<T[K]> : Shape<T[K]>;
};

type AnyField = Shape<unknown> | OptionalShape<unknown>;

/** A mapping with these fields and no others. Where every field has a fallback, or may be left out, so may all of it. */
export function section<T extends object>(description: string, fields: Fields<NoInfer<T>>): Shape<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a reader takes what is unknown, and hands out what it has checked
  const entries = Object.entries(fields) as readonly (readonly [string, AnyField])[];
  const what = 'a mapping';
  const read = (value: unknown, reading: Reading): Read<T> => {
    if (!isMapping(value)) return complain(reading, `${shown(value)} must be ${what} (${description})`);
    const before = reading.problems.length;
    refuseUnknown(value, entries, reading);
    const given = entries.flatMap(([name, field]) => readField(name, field, value, reading));
    if (reading.problems.length > before) return undefined;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field was read by its own shape
    return { value: Object.fromEntries(given) as T };
  };
  const isLeftOut = entries.every(([, field]) => field.isOptional === true || field.fallback !== undefined);
  return {
    what,
    description,
    ...(isLeftOut ? { fallback: () => valueOf(read({}, { path: '', problems: [] })) } : {}),
    read,
    lines: (path) => entries.flatMap(([name, field]) => field.lines(path === '' ? name : `${path}.${name}`)),
  };
}

function valueOf<T>(read: Read<T>): T {
  if (read === undefined) throw new Error('a section that may be left out has a fallback for every field');
  return read.value;
}

function readField(
  name: string,
  field: AnyField,
  mapping: Readonly<Record<string, unknown>>,
  { path, problems }: Reading,
): readonly (readonly [string, unknown])[] {
  const at = { path: path === '' ? name : `${path}.${name}`, problems };
  const value = Object.hasOwn(mapping, name) ? mapping[name] : undefined;
  // A key with nothing behind it is what is left of a section whose lines are all commented out.
  if (value !== undefined && value !== null) return withName(name, field.read(value, at));
  if (field.isOptional === true) return [];
  if (field.fallback !== undefined) return [[name, field.fallback()]];
  complain(at, `is missing: give ${field.what} (${field.description})`);
  return [];
}

function withName(name: string, read: Read<unknown>): readonly (readonly [string, unknown])[] {
  return read === undefined ? [] : [[name, read.value]];
}

function refuseUnknown(
  value: Readonly<Record<string, unknown>>,
  entries: readonly (readonly [string, AnyField])[],
  { path, problems }: Reading,
): void {
  const known = entries.map(([name]) => name);
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    const nearest = nearestName(name, known);
    const hint = nearest === undefined ? `known are ${known.join(', ')}` : `did you mean "${nearest}"?`;
    complain({ path: path === '' ? name : `${path}.${name}`, problems }, `is not known; ${hint}`);
  }
}

export function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
