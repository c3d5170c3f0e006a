import type { RenderedObject } from './rendered-objects.ts';

const MOST_NAMED = 4;

/** Which fields of which objects are others in another rendering, a line for each field: `FIELD: OBJECT, OBJECT`. */
export function renderedChanges(
  before: readonly RenderedObject[],
  after: readonly RenderedObject[],
): readonly string[] {
  const [old, young] = [byName(before), byName(after)];
  const found = new Map<string, string[]>();
  for (const name of new Set([...old.keys(), ...young.keys()])) {
    for (const field of new Set(changedFields(old.get(name), young.get(name), ''))) {
      found.set(field, [...(found.get(field) ?? []), name]);
    }
  }
  return [...found].map(([field, names]) => `${field}: ${some(names.toSorted())}`).toSorted();
}

function byName(objects: readonly RenderedObject[]): ReadonlyMap<string, RenderedObject> {
  return new Map(objects.map((object) => [nameOf(object), object]));
}

/** Jobs end in a digest of what they do, so that another one runs when that changes. */
function nameOf({ kind, metadata: { namespace, name: whole } }: RenderedObject): string {
  const name = kind === 'Job' ? whole.replace(/-[0-9a-f]{8}$/, '-DIGEST') : whole;
  return namespace === undefined ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

function some(names: readonly string[]): string {
  const rest = names.length - MOST_NAMED;
  return rest > 1 ? `${names.slice(0, MOST_NAMED).join(', ')} and ${rest} more` : names.join(', ');
}

/** The deepest fields that differ. What is there on one side alone is one field, and so is a list. */
function changedFields(before: unknown, after: unknown, path: string): readonly string[] {
  if (before === undefined) return [`+ ${path === '' ? 'all' : path}`];
  if (after === undefined) return [`- ${path === '' ? 'all' : path}`];
  if (isMap(before) && isMap(after)) {
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
      changedFields(before[key], after[key], path === '' ? key : `${path}.${key}`),
    );
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    return before.flatMap((item: unknown, index) => changedFields(item, after[index], `${path}[]`));
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
