import { isJsonObject, printJson, type JsonObject, type JsonValue } from '@smalt/json';

import { messageType } from './catalog.ts';
import { KubernetesApiError } from './kubernetes-api-error.ts';
import type { Field, FieldType, MessageType, ScalarName } from './message-type.ts';
import type { ProtobufWriter } from './protobuf-writer.ts';
import { textOf } from './read-path.ts';
import { parseMoment } from './time-text.ts';

/** Writes the fields of an object that was read as this type. What is null or absent is left out. */
export function encodeMessage(writer: ProtobufWriter, object: JsonObject, type: MessageType): void {
  for (const field of type.fields) {
    if (field.number === 0) continue;
    if (field.name === '' && field.type.kind === 'message') encodeInlined(writer, object, field, field.type);
    else encodeField(writer, field, Object.hasOwn(object, field.name) ? object[field.name] : undefined);
  }
}

function encodeInlined(
  writer: ProtobufWriter,
  object: JsonObject,
  field: Field,
  type: FieldType & { readonly kind: 'message' },
): void {
  writer.message(field.number, () => encodeMessage(writer, object, messageType(type.package, type.name)));
}

function encodeField(writer: ProtobufWriter, { number, type }: Field, value: JsonValue | undefined): void {
  if (value === undefined || value === null) return;
  if (type.kind === 'list' && !type.isWrapped) {
    if (!Array.isArray(value)) throw unfit(value, type);
    for (const item of value) encodeValue(writer, number, type.items, item);
  } else if (type.kind === 'map') {
    if (!isJsonObject(value)) throw unfit(value, type);
    for (const [key, item] of Object.entries(value)) {
      writer.message(number, () => {
        writer.text(1, key);
        encodeValue(writer, 2, type.values, item);
      });
    }
  } else encodeValue(writer, number, type, value);
}

function encodeValue(writer: ProtobufWriter, number: number, type: FieldType, value: JsonValue): void {
  switch (type.kind) {
    case 'message':
      if (!isJsonObject(value)) throw unfit(value, type);
      return writer.message(number, () => encodeMessage(writer, value, messageType(type.package, type.name)));
    case 'list':
      if (!Array.isArray(value)) throw unfit(value, type);
      return writer.message(number, () => {
        for (const item of value) encodeValue(writer, 1, type.items, item);
      });
    case 'scalar':
      return encodeScalar(writer, number, type.scalar, value);
    case 'map':
      throw unfit(value, type);
  }
}

function encodeScalar(writer: ProtobufWriter, number: number, scalar: ScalarName, value: JsonValue): void {
  switch (scalar) {
    case 'string':
      return writer.text(number, textOf(value));
    case 'bool':
      return writer.integer(number, value === true ? 1 : 0);
    case 'int32':
    case 'int64':
      return writer.integer(number, typeof value === 'bigint' ? value : Number(value));
    case 'double':
      return writer.double(number, Number(value));
    case 'bytes':
      return writer.bytes(number, Buffer.from(textOf(value), 'base64'));
    case 'quantity':
      return writer.message(number, () => writer.text(1, textOf(value)));
    case 'intOrString':
      return writer.message(number, () => encodeIntOrString(writer, value));
    case 'time':
    case 'microtime':
      return writer.message(number, () => encodeTime(writer, value));
    case 'raw':
    case 'fields':
    case 'json':
      return writer.message(number, () => writer.text(1, printJson(value)));
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return writer.message(number, () => encodeUnion(writer, scalar, value));
  }
}

function encodeIntOrString(writer: ProtobufWriter, value: JsonValue): void {
  writer.integer(1, typeof value === 'string' ? 1 : 0);
  writer.integer(2, typeof value === 'number' ? value : 0);
  writer.text(3, typeof value === 'string' ? value : '');
}

function encodeTime(writer: ProtobufWriter, value: JsonValue): void {
  if (value === null) return;
  const moment = parseMoment(textOf(value));
  if (moment === undefined) throw new KubernetesApiError('wrong-type', `not a time: ${printJson(value)}`);
  writer.integer(1, moment.seconds);
  writer.integer(2, moment.nanos);
}

function encodeUnion(writer: ProtobufWriter, scalar: ScalarName, value: JsonValue): void {
  const schema = messageType('apiextensions', 'JSONSchemaProps');
  const encodeSchema = (number: number, part: JsonValue): void => {
    if (!isJsonObject(part)) throw new KubernetesApiError('wrong-type', `not a schema: ${printJson(part)}`);
    writer.message(number, () => encodeMessage(writer, part, schema));
  };
  if (scalar === 'schemaOrBool') {
    writer.integer(1, value === false ? 0 : 1);
    if (isJsonObject(value)) encodeSchema(2, value);
  } else if (!Array.isArray(value)) encodeSchema(1, value);
  else if (scalar === 'schemaOrArray') for (const part of value) encodeSchema(2, part);
  else for (const part of value) writer.text(2, String(part));
}

function unfit(value: JsonValue, type: FieldType): KubernetesApiError {
  return new KubernetesApiError('wrong-type', `${printJson(value)} is not of type ${type.goName}`);
}
