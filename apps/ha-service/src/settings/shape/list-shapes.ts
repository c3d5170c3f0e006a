import { isMapping } from './object-shape.ts';
import { complain, shown, type Read, type Reading, type Shape } from './shape.ts';

export interface ListOptions<T> {
  /** Empty unless said otherwise. */
  readonly fallback?: readonly T[];
  readonly least?: number;
}

/** A list of things of one shape. */
export function list<T>(
  description: string,
  item: Shape<T>,
  { fallback = [], least = 0 }: ListOptions<T> = {},
): Shape<readonly T[]> {
  const what = least > 0 ? `a list of at least ${least}` : 'a list';
  const read = (value: unknown, { path, problems }: Reading): Read<readonly T[]> => {
    if (!Array.isArray(value) || value.length < least) {
      return complain({ path, problems }, `${shown(value)} must be ${what} (${description})`);
    }
    const items = value.map((each: unknown, index) => item.read(each, { path: `${path}[${index}]`, problems }));
    return allOf(items);
  };
  return {
    what,
    description,
    ...(least > 0 && fallback.length < least ? {} : { fallback: () => fallback }),
    read,
    lines: (path) => [
      { path, what, description, fallback: JSON.stringify(fallback) },
      ...item.lines(`${path}[]`).filter((line) => line.path !== `${path}[]`),
    ],
  };
}

/** A mapping from names of any kind to things of one shape. */
export function named<T>(description: string, item: Shape<T>): Shape<Readonly<Record<string, T>>> {
  const what = 'a mapping of names';
  const read = (value: unknown, { path, problems }: Reading): Read<Readonly<Record<string, T>>> => {
    if (!isMapping(value)) return complain({ path, problems }, `${shown(value)} must be ${what} (${description})`);
    const entries = Object.entries(value).map(([name, each]) => {
      const one = item.read(each, { path: `${path}.${name}`, problems });
      return one === undefined ? undefined : { value: [name, one.value] as const };
    });
    const all = allOf(entries);
    return all === undefined ? undefined : { value: Object.fromEntries(all.value) };
  };
  return {
    what,
    description,
    fallback: () => ({}),
    read,
    lines: (path) => [
      { path, what, description, fallback: '{}' },
      ...item.lines(`${path}.<name>`).filter((line) => line.path !== `${path}.<name>`),
    ],
  };
}

function allOf<T>(items: readonly Read<T>[]): Read<readonly T[]> {
  const values = items.flatMap((each) => (each === undefined ? [] : [each.value]));
  return values.length === items.length ? { value: values } : undefined;
}
