import type { Schema } from './kubernetes-schemas.ts';

/**
 * The same schema, with what is in it several times told once, in `definitions` under the names that are given here. Nothing
 * else is taken or refused by it than before, in the same words; where several are said of one value, a line above names that.
 */
export function shareSchemas(schema: Schema, named: Readonly<Record<string, Schema>>): Schema {
  const names = new Map(Object.entries(named).map(([name, each]) => [textOf(each), name]));
  const used = new Set<string>();
  const shared = refer(schema, (each) => noted(used, names.get(textOf(each))));
  const definitions: Record<string, unknown> = {};
  // One may be used by another alone, and is found while that one is written.
  for (const name of used) {
    definitions[name] = fields(named[name] ?? {}, (each) => noted(used, names.get(textOf(each))));
  }
  const sorted = Object.entries(definitions).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return { ...Object(shared), definitions: Object.fromEntries(sorted) };
}

type NameOf = (schema: Schema) => string | undefined;

function noted(used: Set<string>, name: string | undefined): string | undefined {
  if (name !== undefined) used.add(name);
  return name;
}

function refer(value: unknown, nameOf: NameOf): unknown {
  if (Array.isArray(value)) return value.map((each) => refer(each, nameOf));
  if (!isSchema(value)) return value;
  const { description, ...schema } = value;
  const name = nameOf(schema);
  if (name === undefined) return fields(value, nameOf);
  // Validators pass over what stands beside a reference; editors show it.
  return { ...(description === undefined ? {} : { description }), $ref: `#/definitions/${name}` };
}

function fields(schema: Schema, nameOf: NameOf): Schema {
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, refer(value, nameOf)]));
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

function textOf(schema: Schema): string {
  return JSON.stringify(schema);
}
