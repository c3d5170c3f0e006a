import type { Redaction } from './redaction.ts';

const HIDDEN = '[redacted]';
// Deeper than anything that a person reads in one line.
const MAX_DEPTH = 12;

type Fields = Readonly<Record<string, unknown>>;

interface Place {
  readonly path: readonly string[];
  readonly redaction: Redaction;
  /** What the value stands in, to tell a circle from something that is only shown twice. */
  readonly around: readonly object[];
}

/** A copy of the fields of a log line that JSON can carry whatever was in them, without what is to be hidden. */
export function showFields(fields: Fields, redaction: Redaction): Fields {
  return showEntries(Object.entries(fields), { path: [], redaction, around: [fields] });
}

function showEntries(entries: readonly (readonly [string, unknown])[], place: Place): Fields {
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const path = [...place.path, name];
      return [name, place.redaction.hides(path) ? HIDDEN : show(value, { ...place, path })];
    }),
  );
}

function show(value: unknown, place: Place): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return value;
  if (place.around.includes(value)) return '[circular]';
  if (place.around.length > MAX_DEPTH) return '[too deep]';
  const inside = { ...place, around: [...place.around, value] };
  if (value instanceof Error) return showEntries(errorEntries(value), inside);
  if (Array.isArray(value)) return value.map((item: unknown, index) => showItem(item, index, inside));
  const own = ownForm(value);
  return own === value ? showEntries(Object.entries(value), inside) : show(own, inside);
}

function showItem(item: unknown, index: number, place: Place): unknown {
  return show(item, { ...place, path: [...place.path, String(index)] });
}

// What goes wrong with another class must not cost the line, nor the work that it is about.
function ownForm(value: object): unknown {
  if (!('toJSON' in value) || typeof value.toJSON !== 'function') return value;
  try {
    const form: unknown = value.toJSON();
    return form;
  } catch (error) {
    return `[not shown: ${String(error)}]`;
  }
}

function errorEntries(error: Error): readonly (readonly [string, unknown])[] {
  const others = Object.entries(error).filter(([name]) => name !== 'name');
  return [
    ['type', error.constructor.name],
    ['message', error.message],
    ['stack', error.stack],
    ...others,
    ...(error.cause === undefined ? [] : [['cause', error.cause] as const]),
    ...(error instanceof AggregateError ? [['errors', error.errors] as const] : []),
  ];
}
