interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
}

/** The paths of all fields that a schema of a definition knows, such as `.spec.groups[].name`. */
export function fieldsOf(schema: Schema, path = ''): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [name, each] of Object.entries(schema.properties ?? {})) {
    found.add(`${path}.${name}`);
    for (const inner of fieldsOf(each, `${path}.${name}`)) found.add(inner);
  }
  if (schema.items !== undefined) for (const inner of fieldsOf(schema.items, `${path}[]`)) found.add(inner);
  const { additionalProperties: others } = schema;
  if (typeof others === 'object') for (const inner of fieldsOf(others, `${path}{}`)) found.add(inner);
  return found;
}
