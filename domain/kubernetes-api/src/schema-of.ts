import type { JsonValue } from '@smalt/json';
import type { Schema } from '@smalt/resource';

import { messageType, packageOf, wordsOf } from './catalog.ts';
import { describeField, describeType } from './descriptions.ts';
import type { Field, FieldType, MessageType, ScalarName } from './message-type.ts';

/** How a schema refers to another message: by a `$ref` to its component, or with the message's own schema in place. */
export interface SchemaLinks {
  message(type: FieldType & { readonly kind: 'message' }): Schema;
  /** The schema of a scalar that is a component of its own in published documents. */
  scalar(name: ScalarName): Schema | undefined;
  readonly isPublished: boolean;
}

// Schemas hang together by the hundreds, and the same object must come back each time: others keep what they
// compiled from it by its identity.
const workingSchemas = new Map<string, Schema>();

/** The schema of a message with all it holds in place, shared between all who ask. */
export function workingSchema(type: MessageType): Schema {
  return workingSchemaWithin(type, []);
}

/** The schema of one message. */
export function messageSchema(type: MessageType, links: SchemaLinks): Schema {
  const required = type.shown.filter((field) => field.isRequired).map((field) => field.name);
  const description = describeType(type);
  return {
    ...(description === undefined ? {} : { description }),
    type: 'object',
    ...(type.shown.length === 0
      ? {}
      : { properties: Object.fromEntries(type.shown.map((field) => [field.name, fieldSchema(field, links)])) }),
    ...(required.length === 0 ? {} : { required }),
    ...(type.isAtomic ? { 'x-kubernetes-map-type': 'atomic' as const } : {}),
  };
}

function workingSchemaWithin(type: MessageType, within: readonly string[]): Schema {
  const id = `${type.package}/${type.name}`;
  const known = workingSchemas.get(id);
  if (known !== undefined) return known;
  // A schema inside a schema has no end: from there on any field is taken.
  if (within.includes(id)) return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = messageSchema(type, {
    message: (reference) => workingSchemaWithin(messageType(reference.package, reference.name), [...within, id]),
    scalar: () => undefined,
    isPublished: false,
  });
  // Only what stands on its own is kept: inside a recursion the same message looks different.
  if (!id.startsWith('apiextensions/') || within.length === 0) workingSchemas.set(id, schema);
  return schema;
}

function fieldSchema(field: Field, links: SchemaLinks): Schema {
  const description = describeField(field);
  const schema = typeSchema(field.type, links);
  const isValueMessage = field.type.kind === 'message' && !field.isPointer;
  const emptyScalar = links.isPublished ? undefined : emptyScalarOf(field);
  return {
    ...(description === undefined ? {} : { description }),
    ...schema,
    ...(isValueMessage ? { default: {} } : {}),
    ...(emptyScalar === undefined ? {} : { default: emptyScalar }),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.listType === undefined ? {} : { 'x-kubernetes-list-type': field.listType }),
    ...(field.listMapKeys === undefined ? {} : { 'x-kubernetes-list-map-keys': field.listMapKeys }),
    ...(field.mapType === undefined ? {} : { 'x-kubernetes-map-type': field.mapType }),
    ...(field.patchStrategy === undefined ? {} : { 'x-kubernetes-patch-strategy': field.patchStrategy }),
    ...(field.patchMergeKey === undefined ? {} : { 'x-kubernetes-patch-merge-key': field.patchMergeKey }),
  };
}

// What Go prints for a field that is always there and was never set: nobody owns such a value by writing it.
function emptyScalarOf(field: Field): JsonValue | undefined {
  if (!field.isAlwaysShown || field.isPointer || field.type.kind !== 'scalar') return undefined;
  switch (field.type.scalar) {
    case 'string':
      return '';
    case 'time':
    case 'microtime':
      return null;
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
      return 0;
    case 'double':
    case 'bytes':
    case 'quantity':
    case 'intOrString':
    case 'raw':
    case 'fields':
    case 'json':
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return undefined;
  }
}

function typeSchema(type: FieldType, links: SchemaLinks): Schema {
  switch (type.kind) {
    case 'list':
      return { type: 'array', items: typeSchema(type.items, links) };
    case 'map':
      return { type: 'object', additionalProperties: typeSchema(type.values, links) };
    case 'message':
      return links.message(type);
    case 'scalar': {
      const words = wordsOf(type);
      const schema = links.scalar(type.scalar) ?? scalarSchema(type.scalar);
      return words === undefined ? schema : { ...schema, enum: words };
    }
  }
}

/** The schema of a scalar, as a document shows it. */
function scalarSchema(scalar: ScalarName): Schema {
  switch (scalar) {
    case 'string':
      return { type: 'string' };
    case 'bool':
      return { type: 'boolean' };
    case 'int32':
    case 'int64':
      return { type: 'integer', format: scalar };
    case 'double':
      return { type: 'number', format: 'double' };
    case 'bytes':
      return { type: 'string', format: 'byte' };
    case 'quantity':
      return { 'x-kubernetes-int-or-string': true };
    case 'intOrString':
      return { 'x-kubernetes-int-or-string': true, format: 'int-or-string' };
    case 'time':
    case 'microtime':
      return { type: 'string', format: 'date-time' };
    case 'raw':
    case 'fields':
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    case 'json':
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return { 'x-kubernetes-preserve-unknown-fields': true };
  }
}

/** The name under which documents publish a message, such as `io.k8s.api.core.v1.Pod`. */
export function componentName(packageKey: string, name: string): string {
  return `${packageOf(packageKey).component}.${name}`;
}
