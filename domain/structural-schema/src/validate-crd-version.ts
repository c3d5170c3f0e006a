import { isJsonObject, type JsonObject } from '@smalt/json';
import { duplicate, invalid, required, tooMany, type FieldError, type Schema } from '@smalt/resource';

import { checkStructural } from './check-structural.ts';
import { findSchemaField } from './find-schema-field.ts';
import { objectAt, objectsAt, textAt } from './read-object.ts';
import { schemaOfVersion } from './schema-of-version.ts';

const COLUMN_TYPES: readonly string[] = ['boolean', 'date', 'integer', 'number', 'string'];
const COLUMN_FORMATS: readonly string[] = [
  'byte',
  'date',
  'date-time',
  'double',
  'float',
  'int32',
  'int64',
  'password',
];
const SELECTABLE_TYPES: readonly string[] = ['string', 'boolean', 'integer'];
const MAX_SELECTABLE_FIELDS = 8;

/** All that is wrong with the schema of a version. */
export function validateSchema(version: JsonObject, path: string, isStored: boolean): FieldError[] {
  const schema = schemaOfVersion(version);
  if (schema === undefined) return [];
  const hasStatus = isJsonObject(objectAt(version, 'subresources')['status']);
  return [...checkStructural(schema, { path: `${path}.openAPIV3Schema`, hasStatus, isStored })];
}

/** What is wrong with the subresources of a version. */
export function validateSubresources(version: JsonObject, path: string): FieldError[] {
  const scale = objectAt(version, 'subresources')['scale'];
  if (!isJsonObject(scale)) return [];
  const selector = textAt(scale, 'labelSelectorPath');
  return [
    ...checkScalePath(textAt(scale, 'specReplicasPath'), `${path}.scale.specReplicasPath`, ['.spec.']),
    ...checkScalePath(textAt(scale, 'statusReplicasPath'), `${path}.scale.statusReplicasPath`, ['.status.']),
    ...(selector === '' ? [] : checkScalePath(selector, `${path}.scale.labelSelectorPath`, ['.spec.', '.status.'])),
  ];
}

/** What is wrong with the columns of a version. */
export function validateColumns(version: JsonObject, path: string): FieldError[] {
  return objectsAt(version, 'additionalPrinterColumns').flatMap((column, index) => {
    return validateColumn(column, `${path}[${index}]`);
  });
}

/** What is wrong with the fields of a version that objects can be selected by. */
export function validateSelectableFields(version: JsonObject, path: string): FieldError[] {
  const schema = schemaOfVersion(version);
  const fields = objectsAt(version, 'selectableFields');
  if (fields.length === 0 || schema === undefined) return [];
  const found = new Set<string>();
  const errors = fields.flatMap((field, index) => {
    return validateSelectableField(textAt(field, 'jsonPath'), schema, `${path}[${index}].jsonPath`, found);
  });
  if (found.size > MAX_SELECTABLE_FIELDS) errors.push(tooMany(path, found.size, MAX_SELECTABLE_FIELDS));
  return errors;
}

function checkScalePath(value: string, field: string, starts: readonly string[]): FieldError[] {
  if (value === '') return [required(field)];
  if (!value.startsWith('.')) return [invalid(field, value, 'must be a simple json path starting with .')];
  if (starts.some((start) => value.startsWith(start))) return [];
  const places = starts.map((start) => start.slice(0, -1)).join(' or ');
  return [invalid(field, value, `should be a json path under ${starts.length > 1 ? 'either ' : ''}${places}`)];
}

function validateColumn(column: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const [type, format, jsonPath] = [textAt(column, 'type'), textAt(column, 'format'), textAt(column, 'jsonPath')];
  if (textAt(column, 'name') === '') errors.push(required(`${path}.name`));
  const types = `must be one of ${COLUMN_TYPES.join(',')}`;
  if (type === '') errors.push(required(`${path}.type`, types));
  else if (!COLUMN_TYPES.includes(type)) errors.push(invalid(`${path}.type`, type, types));
  if (format !== '' && !COLUMN_FORMATS.includes(format)) {
    errors.push(invalid(`${path}.format`, format, `must be one of ${COLUMN_FORMATS.join(',')}`));
  }
  if (jsonPath === '') errors.push(required(`${path}.JSONPath`));
  else if (!jsonPath.startsWith('.')) {
    errors.push(invalid(`${path}.JSONPath`, jsonPath, 'must be a simple json path starting with .'));
  }
  return errors;
}

function validateSelectableField(jsonPath: string, schema: Schema, field: string, found: Set<string>): FieldError[] {
  if (jsonPath === '') return [required(field)];
  const target = findSchemaField(jsonPath, schema, { allowsBrackets: false });
  if (target.kind === 'problem') return [invalid(field, jsonPath, `is an invalid path: ${target.problem}`)];
  const errors: FieldError[] = [];
  if (target.names[0] === 'metadata') {
    errors.push(invalid(field, jsonPath, 'must not point to fields in metadata'));
  }
  if (!SELECTABLE_TYPES.includes(target.schema.type ?? '')) {
    const detail =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
    errors.push(invalid(field, jsonPath, detail));
  }
  if (found.has(target.path)) errors.push(duplicate(field, jsonPath));
  found.add(target.path);
  return errors;
}
