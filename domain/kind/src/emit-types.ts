import type { JsonValue } from '@smalt/json';

import { collectShapes } from './collect-shapes.ts';
import type { Kind } from './kind.ts';
import type { NamedSchema } from './named-schema.ts';
import { stringLiteral } from './string-literal.ts';

/** Shapes that every object of Kubernetes shares have their types in @smalt/kubernetes. */
const SHARED: ReadonlyMap<string, string> = new Map([
  ['ObjectMeta', 'ObjectMeta'],
  ['TemplateMetadata', 'Partial<ObjectMeta>'],
  ['Condition', 'Condition'],
]);

/** The TypeScript types of the kinds' objects. */
export function emitTypes(kinds: readonly Kind[], source: string): string {
  const shapes = new Map<string, NamedSchema>(kinds.flatMap((kind) => [...collectShapes(kind)]));
  const roots = new Map(kinds.map((kind) => [kind.kind, kind]));
  const declarations = [...shapes]
    .filter(([name]) => !SHARED.has(name))
    .map(([name, schema]) => {
      const kind = roots.get(name);
      return kind === undefined ? declareShape(name, schema) : declareObject(kind);
    });
  const shared = [...new Set(['ObjectMeta', ...[...shapes.keys()].filter((name) => name === 'Condition')])].toSorted();
  return [
    `// Written by 'npm run generate' from ${source}. Change the declarations there instead.`,
    `import type { ${shared.join(', ')} } from '@smalt/kubernetes';`,
    ...declarations,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

function declareObject(kind: Kind): string {
  const { properties = {}, required = [] } = kind.namedSchema;
  const versions = kind.versions.map((version) => `'${kind.group}/${version.name}'`).join(' | ');
  const fields = [
    `  readonly apiVersion: ${versions};`,
    `  readonly kind: '${kind.kind}';`,
    '  readonly metadata: ObjectMeta;',
  ];
  for (const name of ['spec', 'status']) {
    const schema = properties[name];
    if (schema !== undefined) fields.push(declareField(name, schema, required.includes(name)));
  }
  return `${comment(kind.description, '')}export interface ${kind.kind} {\n${fields.join('\n')}\n}`;
}

function declareShape(name: string, schema: NamedSchema): string {
  const { properties = {}, required = [], title = '' } = schema;
  const fields = Object.entries(properties).map(([field, type]) => declareField(field, type, required.includes(field)));
  if (fields.length === 0) return `${comment(title, '')}export type ${name} = ${emptyObject(schema)};`;
  return `${comment(title, '')}export interface ${name} {\n${fields.join('\n')}\n}`;
}

function declareField(name: string, schema: NamedSchema, isRequired: boolean): string {
  return `${comment(schema.description ?? '', '  ')}  readonly ${name}${isRequired ? '' : '?'}: ${typeOf(schema)};`;
}

function typeOf(schema: NamedSchema): string {
  return schema.nullable === true ? `${notNullType(schema)} | null` : notNullType(schema);
}

function notNullType(schema: NamedSchema): string {
  if (schema.$id !== undefined) return SHARED.get(schema.$id) ?? schema.$id;
  if (schema.enum !== undefined) return schema.enum.map(wordType).join(' | ');
  if (schema.type === undefined) return 'number | string';
  switch (schema.type) {
    case 'string':
    case 'boolean':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return listType(schema.items);
    case 'object':
      return schema.additionalProperties === undefined
        ? emptyObject(schema)
        : `Readonly<Record<string, ${typeOf(schema.additionalProperties)}>>`;
  }
}

function wordType(word: JsonValue): string {
  return typeof word === 'string' ? stringLiteral(word) : JSON.stringify(word);
}

function listType(items: NamedSchema | undefined): string {
  const type = items === undefined ? 'unknown' : typeOf(items);
  return type.includes('|') ? `readonly (${type})[]` : `readonly ${type}[]`;
}

function emptyObject(schema: NamedSchema): string {
  return `Readonly<Record<string, ${schema['x-kubernetes-preserve-unknown-fields'] === true ? 'unknown' : 'never'}>>`;
}

function comment(text: string, indent: string): string {
  return text === '' ? '' : `${indent}/** ${text.replaceAll('*/', '*\\/')} */\n`;
}
