import { isJsonObject } from '@smalt/json';
import type { Schema } from '@smalt/resource';

import { ObjectPatchError } from './object-patch-error.ts';

/** How one field is patched: the schema of the object or the list items in it, and the strategy of a list. */
export interface PatchMetadata {
  readonly schema: Schema;
  readonly strategy: string;
  readonly mergeKey: string;
}

const RETAIN_KEYS = 'retainKeys';

/** The metadata of an object's field. A field that the schema does not know is merged like a plain object. */
export function lookUpObject(schema: Schema, name: string): PatchMetadata {
  const field = fieldSchema(schema, name) ?? {};
  return { schema: field, strategy: strategyOf(field), mergeKey: '' };
}

/** The metadata of a list in an object's field. */
export function lookUpList(schema: Schema, name: string): PatchMetadata {
  const field = fieldSchema(schema, name);
  if (field === undefined) throw new ObjectPatchError('failed', `unable to find api field "${name}"`);
  return {
    schema: field.items ?? {},
    strategy: strategyOf(field),
    mergeKey: field['x-kubernetes-patch-merge-key'] ?? '',
  };
}

function fieldSchema(schema: Schema, name: string): Schema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return isJsonObject(additionalProperties) ? additionalProperties : undefined;
}

function strategyOf(schema: Schema): string {
  const text = schema['x-kubernetes-patch-strategy'];
  if (text === undefined) return '';
  const strategies = text.split(',').filter((strategy) => strategy !== RETAIN_KEYS);
  if (strategies.length > 1)
    throw new ObjectPatchError('failed', `unexpected patch strategy: [${text.split(',').join(' ')}]`);
  return strategies[0] ?? '';
}
