import { forbidden, notSupported, type FieldError, type Schema } from '@smalt/resource';

const TYPES: readonly string[] = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** What a schema and all it stands in allow at one place of it. */
export interface SchemaPlace {
  readonly path: string;
  readonly isRoot: boolean;
  /** Why there may be no default here; nothing when there may be one. */
  readonly noDefault: string | undefined;
  readonly isInsideMeta: boolean;
  /** The part of the schema whose items cannot be told apart, so that there is no old value; nothing outside of such. */
  readonly uncorrelated: string | undefined;
}

/** What JSON Schema has and a CustomResourceDefinition may not use. */
export function checkStandards(schema: Schema, place: SchemaPlace): FieldError[] {
  const { path } = place;
  const errors: FieldError[] = [];
  const type: string = schema.type ?? '';
  if (type !== '' && !TYPES.includes(type)) errors.push(notSupported(`${path}.type`, type, TYPES));
  if (schema.default !== undefined && schema.default !== null && place.noDefault !== undefined) {
    errors.push(forbidden(`${path}.default`, `must not be set ${place.noDefault}`));
  }
  for (const name of unsupportedFields(schema)) errors.push(forbidden(`${path}.${name}`, `${name} is not supported`));
  if (type === 'null') {
    errors.push(forbidden(`${path}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (Array.isArray(schema.items)) {
    errors.push(forbidden(`${path}.items`, 'items must be a schema object and not an array'));
  }
  if (place.isInsideMeta && schema['x-kubernetes-embedded-resource'] === true) {
    const detail = 'must not be used inside of resource meta';
    errors.push(forbidden(`${path}.x-kubernetes-embedded-resource`, detail));
  }
  if (schema.uniqueItems === true) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(forbidden(`${path}.uniqueItems`, detail));
  }
  return errors;
}

/** The fields of JSON Schema that a schema uses though they mean nothing here. */
export function unsupportedFields(schema: Schema): readonly string[] {
  return ['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'].filter((name) => {
    const value: unknown = Reflect.get(schema, name);
    if (value === undefined || value === null || value === '') return false;
    return name === 'dependencies' || typeof value !== 'object' || Object.keys(value).length > 0;
  });
}
