import { forbidden, invalid, notSupported, required, type FieldError, type Schema } from '@smalt/resource';

const LIST_TYPES: readonly string[] = ['atomic', 'set', 'map'];
const MAP_TYPES: readonly string[] = ['atomic', 'granular'];

/** What is wrong with what a schema says about the merging of lists and maps. */
export function checkListRules(schema: Schema, path: string): FieldError[] {
  return [
    ...checkPreserve(schema, path),
    ...checkMapType(schema, path),
    ...checkListType(schema, path),
    ...checkMapKeys(schema, path),
    ...checkNullability(schema, path),
  ];
}

function checkPreserve(schema: Schema, path: string): FieldError[] {
  if (schema['x-kubernetes-preserve-unknown-fields'] !== false) return [];
  return [invalid(`${path}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined')];
}

function checkMapType(schema: Schema, path: string): FieldError[] {
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType === undefined) return [];
  const errors = checkTypeIs(schema, 'object', 'must be object if x-kubernetes-map-type is specified', path);
  if (!MAP_TYPES.includes(mapType)) errors.push(notSupported(`${path}.x-kubernetes-map-type`, mapType, MAP_TYPES));
  return errors;
}

function checkListType(schema: Schema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType === undefined) return [];
  const errors = checkTypeIs(schema, 'array', 'must be array if x-kubernetes-list-type is specified', path);
  if (errors.length === 0 && listType === 'set') errors.push(...checkSetItems(schema, path));
  if (!LIST_TYPES.includes(listType)) errors.push(notSupported(`${path}.x-kubernetes-list-type`, listType, LIST_TYPES));
  return errors;
}

function checkSetItems(schema: Schema, path: string): FieldError[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const { items } = schema;
  const listType = items?.['x-kubernetes-list-type'];
  if (items?.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalid(`${path}.items.x-kubernetes-list-type`, listType, detail)];
  }
  if (items?.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    return [invalid(`${path}.items.x-kubernetes-map-type`, listType ?? null, detail)];
  }
  return [];
}

function checkTypeIs(schema: Schema, type: string, detail: string, path: string): FieldError[] {
  if (schema.type === type) return [];
  if (schema.type === undefined) return [required(`${path}.type`, detail)];
  return [invalid(`${path}.type`, schema.type, detail)];
}

function checkMapKeys(schema: Schema, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const field = `${path}.x-kubernetes-list-type`;
    errors.push(listType === undefined ? required(field, detail) : invalid(field, listType, detail));
  }
  if (listType !== 'map') return errors;
  if (keys.length === 0) {
    const detail = 'must not be empty if x-kubernetes-list-type is map';
    errors.push(required(`${path}.x-kubernetes-list-map-keys`, detail));
  }
  if (schema.items === undefined) {
    errors.push(required(`${path}.items`, 'must have a schema if x-kubernetes-list-type is map'));
  } else if (schema.items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalid(`${path}.items.type`, schema.items.type ?? '', detail));
  } else {
    errors.push(...checkKeyFields(schema.items, keys, path));
  }
  return errors;
}

function checkKeyFields(items: Schema, keys: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  const field = `${path}.x-kubernetes-list-map-keys`;
  for (const key of keys) {
    const property = propertyOf(items, key);
    if (property === undefined) {
      errors.push(invalid(field, keys, 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalid(`${path}.items.properties[${key}].type`, items.type ?? '', detail));
    }
    if (seen.has(key)) errors.push(invalid(field, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return errors;
}

function checkNullability(schema: Schema, path: string): FieldError[] {
  const listType = schema['x-kubernetes-list-type'];
  const { items } = schema;
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items.nullable === true) {
    errors.push(forbidden(`${path}.items.nullable`, `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  }
  if (listType === 'set') return errors;
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const property = propertyOf(items, key);
    if (property !== undefined) errors.push(...checkKeyField(property, items, key, `${path}.items.properties[${key}]`));
  }
  return errors;
}

function checkKeyField(property: Schema, items: Schema, key: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const start = 'this property is in x-kubernetes-list-map-keys, so it';
  const hasDefault = property.default !== undefined && property.default !== null;
  if (!hasDefault && !(items.required ?? []).includes(key)) {
    errors.push(required(`${path}.default`, `${start} must have a default or be a required property`));
  }
  if (property.nullable === true) errors.push(forbidden(`${path}.nullable`, `${start} cannot be nullable`));
  return errors;
}

function propertyOf(schema: Schema, name: string): Schema | undefined {
  const { properties } = schema;
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
