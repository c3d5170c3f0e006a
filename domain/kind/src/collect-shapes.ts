import { KindError } from './kind-error.ts';
import type { Kind } from './kind.ts';
import type { NamedSchema } from './named-schema.ts';

/** The shapes that a kind is made of, the kind itself first, each before those it holds. */
export function collectShapes(kind: Kind): ReadonlyMap<string, NamedSchema> {
  const shapes = new Map<string, NamedSchema>();
  const texts = new Map<string, string>();
  collect(kind.namedSchema, shapes, texts);
  return shapes;
}

function collect(schema: NamedSchema, shapes: Map<string, NamedSchema>, texts: Map<string, string>): void {
  if (schema.$id !== undefined && !note(schema.$id, schema, { shapes, texts })) return;
  for (const field of Object.values(schema.properties ?? {})) collect(field, shapes, texts);
  if (schema.items !== undefined) collect(schema.items, shapes, texts);
  if (schema.additionalProperties !== undefined) collect(schema.additionalProperties, shapes, texts);
}

interface Collected {
  readonly shapes: Map<string, NamedSchema>;
  readonly texts: Map<string, string>;
}

/** Whether the shape is new. Two shapes of one name must be the same. */
function note(name: string, schema: NamedSchema, { shapes, texts }: Collected): boolean {
  const text = JSON.stringify([schema.properties, schema.required]);
  const known = texts.get(name);
  if (known !== undefined && known !== text) {
    throw new KindError('invalid-declaration', `there are two shapes by the name ${name}`);
  }
  shapes.set(name, shapes.get(name) ?? schema);
  texts.set(name, text);
  return known === undefined;
}
