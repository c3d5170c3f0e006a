import { forbidden, formatFieldError, invalid, required, type FieldError, type Schema } from '@smalt/resource';

import { checkCompleteness } from './structural-completeness.ts';
import { checkMetadataSchemas, type SchemaLevel } from './structural-metadata.ts';
import { checkValueRules } from './structural-nested.ts';

const MISSING_TYPE: Readonly<Record<SchemaLevel, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/** What keeps a schema from being structural: each value must have a type, and alternatives may only narrow it. */
export function checkInvariants(schema: Schema, path: string): FieldError[] {
  const errors = [...checkPart(schema, 'root', path), ...checkCompleteness(schema, path)];
  return errors
    .map((error) => ({ error, text: formatFieldError(error) }))
    .toSorted((left, right) => (left.text < right.text ? -1 : 1))
    .map(({ error }) => error);
}

function checkPart(schema: Schema, level: SchemaLevel, path: string): FieldError[] {
  return [
    ...checkParts(schema, level, path),
    ...checkExtensions(schema, path),
    ...checkAlternatives(schema, path),
    ...checkType(schema, level, path),
    ...checkMetadataSchemas(schema, level, path),
  ];
}

function checkParts(schema: Schema, level: SchemaLevel, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const { items, properties, additionalProperties } = schema;
  if (schema.type === 'array' && items === undefined) errors.push(required(`${path}.items`, 'must be specified'));
  if (items !== undefined) errors.push(...checkPart(items, 'item', `${path}.items`));
  for (const [name, property] of Object.entries(properties ?? {})) {
    errors.push(...checkPart(property, 'field', `${path}.properties[${name}]`));
  }
  if (additionalProperties !== undefined && level === 'root') {
    errors.push(forbidden(`${path}.additionalProperties`, 'must not be used at the root'));
  }
  if (typeof additionalProperties === 'object') {
    errors.push(...checkPart(additionalProperties, 'field', `${path}.additionalProperties`));
  }
  return errors;
}

function checkExtensions(schema: Schema, path: string): FieldError[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return [];
  const names = ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const;
  return names
    .filter((name) => schema[name] === true)
    .map((name) => invalid(`${path}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'));
}

function checkType(schema: Schema, level: SchemaLevel, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const type: string = schema.type ?? '';
  const isTyped = type !== '';
  if (schema['x-kubernetes-embedded-resource'] === true) {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    if (!isTyped) errors.push(required(`${path}.type`, detail));
    else if (type !== 'object') errors.push(invalid(`${path}.type`, type, detail));
    if (schema.additionalProperties !== undefined) {
      const used = 'must not be used if x-kubernetes-embedded-resource is set';
      errors.push(forbidden(`${path}.additionalProperties`, used));
    }
  } else if (!isTyped && !hasImpliedType(schema)) {
    errors.push(required(`${path}.type`, MISSING_TYPE[level]));
  }
  if (level === 'root' && isTyped && type !== 'object') {
    errors.push(invalid(`${path}.type`, type, 'must be object at the root'));
  }
  return errors;
}

function hasImpliedType(schema: Schema): boolean {
  return schema['x-kubernetes-int-or-string'] === true || schema['x-kubernetes-preserve-unknown-fields'] === true;
}

// `anyOf: [integer, string]` may stand directly in a schema, or first in its `allOf`; nowhere else may types stand.
function checkAlternatives(schema: Schema, path: string): FieldError[] {
  return checkValueRules(schema, path, {
    skipAnyOf: isIntOrString(schema.anyOf),
    skipFirstAllOf: isIntOrString(schema.allOf?.[0]?.anyOf),
  });
}

function isIntOrString(anyOf: readonly Schema[] | undefined): boolean {
  if (anyOf?.length !== 2) return false;
  return isOnlyType(anyOf[0], 'integer') && isOnlyType(anyOf[1], 'string');
}

function isOnlyType(schema: Schema | undefined, type: string): boolean {
  return schema?.type === type && Object.keys(schema).length === 1;
}
