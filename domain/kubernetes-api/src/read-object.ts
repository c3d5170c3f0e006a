import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

import { messageType } from './catalog.ts';
import { KubernetesApiError } from './kubernetes-api-error.ts';
import type { Field, FieldType, MessageType, ScalarName } from './message-type.ts';
import { cannotUnmarshal, goValue, readScalar } from './read-scalar.ts';

/** An object as the fields of its kind hold it. */
export interface ReadResult {
  readonly object: JsonObject;
  /** The paths of what the kind does not know, such as `spec.template.spec.containers[0].imagine`. */
  readonly unknownFields: readonly string[];
}

interface Frame {
  readonly type: MessageType;
  readonly name: string;
  readonly parent: Frame | undefined;
}

/**
 * Reads an object as its kind: unknown fields are dropped and named, values come out in canonical form, empty values
 * are left out or shown just as Kubernetes does. The object itself comes back when there was nothing to do. Throws a
 * KubernetesApiError `wrong-type` for a value that its field cannot hold.
 */
export function readObject(object: JsonObject, type: MessageType): ReadResult {
  const unknownFields: string[] = [];
  const reader = new ObjectReader(unknownFields);
  return { object: reader.message(object, type, '', undefined), unknownFields };
}

type ListType = FieldType & { readonly kind: 'list' };

const SCHEMA = 'v1.JSONSchemaProps';
const SCHEMAS: ListType = {
  kind: 'list',
  items: { kind: 'message', package: 'apiextensions', name: 'JSONSchemaProps', goName: SCHEMA },
  goName: `[]${SCHEMA}`,
  isWrapped: false,
};
const STRINGS: ListType = {
  kind: 'list',
  items: { kind: 'scalar', scalar: 'string', goName: 'string' },
  goName: '[]string',
  isWrapped: false,
};

class ObjectReader {
  readonly #unknown: string[];

  constructor(unknown: string[]) {
    this.#unknown = unknown;
  }

  message(object: JsonObject, type: MessageType, path: string, parent: Frame | undefined): JsonObject {
    const result: Record<string, JsonValue> = {};
    let isChanged = false;
    for (const name of Object.keys(object)) {
      const field = type.byName.get(name);
      if (field === undefined) this.#unknown.push(path === '' ? name : `${path}.${name}`);
      const given = object[name];
      const read = field === undefined ? undefined : this.#field(field, given, path, { type, name, parent });
      if (read !== given || field === undefined) isChanged = true;
      if (read !== undefined) result[name] = read;
    }
    for (const field of type.alwaysShown) {
      if (Object.hasOwn(object, field.name)) continue;
      isChanged = true;
      result[field.name] = this.#nothing(field, { type, name: field.name, parent });
    }
    return isChanged ? result : object;
  }

  #field(field: Field, given: JsonValue | undefined, path: string, frame: Frame): JsonValue | undefined {
    if (given === undefined || given === null) return field.isAlwaysShown ? this.#nothing(field, frame) : undefined;
    const read = this.#value(field.type, given, path === '' ? field.name : `${path}.${field.name}`, frame);
    return field.isPointer || field.isAlwaysShown || !isEmpty(read) ? read : undefined;
  }

  #value(type: FieldType, given: JsonValue, path: string, frame: Frame): JsonValue {
    switch (type.kind) {
      case 'scalar':
        if (type.scalar.startsWith('schemaOr')) return this.#schemaUnion(type.scalar, given, path, frame);
        return readScalar(type.scalar, given, { goName: type.goName, where: () => whereOf(frame) });
      case 'list':
        return this.#list(type, given, path, frame);
      case 'map':
        return this.#map(type, given, path, frame);
      case 'message':
        if (!isJsonObject(given)) throw cannotUnmarshal(given, { goName: type.goName, where: () => whereOf(frame) });
        return this.message(given, messageType(type.package, type.name), path, frame);
    }
  }

  /** A place in a JSON schema that takes a schema or something simpler. */
  #schemaUnion(scalar: ScalarName, given: JsonValue, path: string, frame: Frame): JsonValue {
    if (isJsonObject(given)) return this.message(given, messageType('apiextensions', 'JSONSchemaProps'), path, frame);
    if (scalar === 'schemaOrBool') {
      if (typeof given !== 'boolean') throw new KubernetesApiError('wrong-type', 'boolean or JSON schema expected');
      return given;
    }
    if (!Array.isArray(given)) throw cannotUnmarshal(given, { goName: SCHEMA, where: goValue });
    return this.#list(scalar === 'schemaOrArray' ? SCHEMAS : STRINGS, given, path, frame);
  }

  #list(type: ListType, given: JsonValue, path: string, frame: Frame): JsonValue {
    if (!Array.isArray(given)) throw cannotUnmarshal(given, { goName: type.goName, where: () => whereOf(frame) });
    let isChanged = false;
    const items = given.map((item: JsonValue, index) => {
      const read =
        item === null ? zero(type.items, this, frame) : this.#value(type.items, item, `${path}[${index}]`, frame);
      if (read !== item) isChanged = true;
      return read;
    });
    return isChanged ? items : given;
  }

  #map(type: FieldType & { readonly kind: 'map' }, given: JsonValue, path: string, frame: Frame): JsonValue {
    if (!isJsonObject(given)) throw cannotUnmarshal(given, { goName: type.goName, where: () => whereOf(frame) });
    let isChanged = false;
    const entries = Object.entries(given).map(([key, value]): [string, JsonValue] => {
      const read =
        value === null ? zeroOfMap(type.values, this, frame) : this.#value(type.values, value, `${path}.${key}`, frame);
      if (read !== value) isChanged = true;
      return [key, read];
    });
    return isChanged ? Object.fromEntries(entries) : given;
  }

  #nothing(field: Field, frame: Frame): JsonValue {
    return field.isPointer ? null : zero(field.type, this, frame);
  }
}

/** No bytes are none in a field, and in a map, which is kept as protobuf has it, they are empty. */
function zeroOfMap(type: FieldType, reader: ObjectReader, frame: Frame): JsonValue {
  return type.kind === 'scalar' && type.scalar === 'bytes' ? '' : zero(type, reader, frame);
}

/** What JSON shows for a value that was never set. */
function zero(type: FieldType, reader: ObjectReader, frame: Frame): JsonValue {
  if (type.kind === 'message') return reader.message({}, messageType(type.package, type.name), '', frame);
  if (type.kind !== 'scalar') return null;
  switch (type.scalar) {
    case 'string':
      return '';
    case 'bool':
      return false;
    case 'int32':
    case 'int64':
    case 'double':
    case 'intOrString':
      return 0;
    case 'quantity':
      return '0';
    case 'bytes':
    case 'time':
    case 'microtime':
    case 'raw':
    case 'json':
    case 'fields':
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return null;
  }
}

function isEmpty(value: JsonValue): boolean {
  if (value === null || value === '' || value === 0 || value === false) return true;
  if (typeof value !== 'object') return false;
  return Array.isArray(value) ? value.length === 0 : isEmptyObject(value);
}

function isEmptyObject(value: object): boolean {
  for (const name in value) if (Object.hasOwn(value, name)) return false;
  return true;
}

function whereOf(frame: Frame): string {
  const names: string[] = [];
  for (let at: Frame | undefined = frame; at !== undefined; at = at.parent) names.unshift(at.name);
  return names.length === 0 ? goValue() : ` Go struct field ${frame.type.name}.${names.join('.')}`;
}
