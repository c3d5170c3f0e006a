import { JsonError, parseJson, type JsonObject, type JsonValue } from '@smalt/json';

import { messageType } from './catalog.ts';
import { KubernetesApiError } from './kubernetes-api-error.ts';
import type { Field, FieldType, MessageType, ScalarName } from './message-type.ts';
import { malformed, type ProtobufReader } from './protobuf-reader.ts';
import { formatMicroseconds, formatSeconds } from './time-text.ts';

/** Schemas nest, and so do messages with them; nothing real comes near this. */
const MAX_DEPTH = 200;
/** The first and the last second of the years 0 to 9999. */
const MIN_SECONDS = -62_167_219_200;
const MAX_SECONDS = 253_402_300_799;

interface Union {
  schema?: JsonValue;
  list?: JsonValue[];
  allows?: boolean;
}

/** The fields that a message carries, by the names that JSON has for them. Nothing is left out for being empty. */
export function decodeMessage(reader: ProtobufReader, type: MessageType, depth = 0): JsonObject {
  if (depth > MAX_DEPTH) throw malformed('messages are nested too deeply');
  const object: Record<string, JsonValue> = {};
  const lists = new Map<string, JsonValue[]>();
  for (let number = reader.nextField(); number !== undefined; number = reader.nextField()) {
    const field = type.byNumber.get(number);
    if (field === undefined) reader.skip();
    else decodeField(reader, field, { object, lists, depth });
  }
  return object;
}

interface Target {
  readonly object: Record<string, JsonValue>;
  readonly lists: Map<string, JsonValue[]>;
  readonly depth: number;
}

function decodeField(reader: ProtobufReader, field: Field, { object, lists, depth }: Target): void {
  const { name, type } = field;
  if (type.kind === 'list' && !type.isWrapped) {
    let list = lists.get(name);
    if (list === undefined) {
      list = [];
      lists.set(name, list);
      object[name] = list;
    }
    list.push(decodeValue(reader, type.items, depth));
  } else if (type.kind === 'map') {
    const [key, value] = decodeEntry(reader, type.values, depth);
    const map = Object.hasOwn(object, name) ? object[name] : undefined;
    // The map was made here a field ago, so it may still change.
    if (map === undefined) object[name] = { [key]: value };
    else Object.assign(Object(map), { [key]: value });
  } else if (name === '' && type.kind === 'message') {
    Object.assign(object, decodeMessage(reader.readMessage(), messageType(type.package, type.name), depth + 1));
  } else {
    object[name] = decodeValue(reader, type, depth);
  }
}

function decodeEntry(reader: ProtobufReader, values: FieldType, depth: number): readonly [string, JsonValue] {
  const entry = reader.readMessage();
  let key = '';
  let value: JsonValue = null;
  for (let number = entry.nextField(); number !== undefined; number = entry.nextField()) {
    if (number === 1) key = entry.readText();
    else if (number === 2) value = decodeValue(entry, values, depth + 1);
    else entry.skip();
  }
  if (key === '__proto__') throw malformed('the field name "__proto__" is not allowed');
  return [key, value];
}

function decodeValue(reader: ProtobufReader, type: FieldType, depth: number): JsonValue {
  switch (type.kind) {
    case 'message':
      return decodeMessage(reader.readMessage(), messageType(type.package, type.name), depth + 1);
    case 'list':
      return decodeWrapped(reader.readMessage(), type.items, depth + 1);
    case 'scalar':
      return decodeScalar(reader, type.scalar, depth);
    case 'map':
      throw malformed('a map cannot be the item of a list');
  }
}

function decodeWrapped(reader: ProtobufReader, items: FieldType, depth: number): JsonValue {
  const list: JsonValue[] = [];
  for (let number = reader.nextField(); number !== undefined; number = reader.nextField()) {
    if (number === 1) list.push(decodeValue(reader, items, depth));
    else reader.skip();
  }
  return list;
}

function decodeScalar(reader: ProtobufReader, scalar: ScalarName, depth: number): JsonValue {
  switch (scalar) {
    case 'string':
      return reader.readText();
    case 'bool':
      return reader.readBool();
    case 'int32':
      return reader.readInt32();
    case 'int64':
      return reader.readInteger();
    case 'double':
      return reader.readDouble();
    case 'bytes':
      return reader.readBytes().toString('base64');
    case 'quantity':
      return decodeOnlyField(reader.readMessage(), (inner) => inner.readText()) ?? '0';
    case 'intOrString':
      return decodeIntOrString(reader.readMessage());
    case 'time':
    case 'microtime':
      return decodeTime(reader.readMessage(), scalar === 'microtime');
    case 'raw':
    case 'fields':
    case 'json':
      return decodeJson(decodeOnlyField(reader.readMessage(), (inner) => inner.readText()));
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return decodeUnion(reader.readMessage(), scalar, depth + 1);
  }
}

/** The value of field 1 of a message that has no other. */
function decodeOnlyField(reader: ProtobufReader, read: (inner: ProtobufReader) => string): string | undefined {
  let value: string | undefined;
  for (let number = reader.nextField(); number !== undefined; number = reader.nextField()) {
    if (number === 1) value = read(reader);
    else reader.skip();
  }
  return value;
}

function decodeIntOrString(reader: ProtobufReader): JsonValue {
  let isText = false;
  let number = 0;
  let text = '';
  for (let field = reader.nextField(); field !== undefined; field = reader.nextField()) {
    if (field === 1) isText = reader.readInteger() === 1;
    else if (field === 2) number = reader.readInt32();
    else if (field === 3) text = reader.readText();
    else reader.skip();
  }
  return isText ? text : number;
}

function decodeTime(reader: ProtobufReader, isMicro: boolean): JsonValue {
  let seconds: number | bigint | undefined;
  let nanos = 0;
  for (let field = reader.nextField(); field !== undefined; field = reader.nextField()) {
    if (field === 1) seconds = reader.readInteger();
    else if (field === 2) nanos = reader.readInt32();
    else reader.skip();
  }
  // An empty message is how a time that was never set travels.
  if (seconds === undefined) return null;
  const isKnown = typeof seconds === 'number' && seconds >= MIN_SECONDS && seconds <= MAX_SECONDS;
  if (!isKnown || nanos < 0 || nanos > 999_999_999) throw malformed('a time is out of range');
  return isMicro ? formatMicroseconds({ seconds: Number(seconds), nanos }) : formatSeconds(Number(seconds));
}

function decodeJson(text: string | undefined): JsonValue {
  if (text === undefined || text === '') return null;
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new KubernetesApiError('malformed', `malformed JSON inside protobuf: ${error.message}`, { cause: error });
  }
}

function decodeUnion(reader: ProtobufReader, scalar: ScalarName, depth: number): JsonValue {
  const union: Union = {};
  const schema = messageType('apiextensions', 'JSONSchemaProps');
  for (let field = reader.nextField(); field !== undefined; field = reader.nextField()) {
    const isSecond = field === 2;
    if (scalar === 'schemaOrBool' && field === 1) union.allows = reader.readBool();
    else if (scalar === 'schemaOrStrings' && isSecond) (union.list ??= []).push(reader.readText());
    else if (scalar === 'schemaOrArray' && isSecond) {
      (union.list ??= []).push(decodeMessage(reader.readMessage(), schema, depth));
    } else if (field === 1 || isSecond) union.schema = decodeMessage(reader.readMessage(), schema, depth);
    else reader.skip();
  }
  return union.schema ?? union.list ?? union.allows ?? (scalar === 'schemaOrBool' ? false : null);
}
