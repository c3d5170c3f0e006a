import { isJsonObject, printJson, type JsonObject, type JsonValue } from '@smalt/json';

import { EXTENSION_NUMBERS, MESSAGES, type FieldKind } from './gnostic-messages.ts';

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;

/** An OpenAPI v2 document as protobuf (gnostic's `openapi.v2.Document`), which older clients ask for. */
export function encodeDocumentV2(document: JsonObject): Buffer {
  return encodeMessage('Document', document);
}

function encodeMessage(name: string, value: JsonValue): Buffer {
  const special = encodeSpecial(name, value);
  if (special !== undefined) return special;
  const fields = MESSAGES.get(name);
  if (fields === undefined) throw new TypeError(`there is no message ${name}`);
  if (!isJsonObject(value)) return Buffer.alloc(0);
  const parts: Buffer[] = [];
  for (const [fieldName, [number, kind]] of fields) {
    const part = value[fieldName];
    if (part !== undefined && part !== null) encodeField(parts, number, kind, part);
  }
  const extensions = EXTENSION_NUMBERS.get(name);
  if (extensions !== undefined) encodeExtensions(parts, extensions, value);
  return Buffer.concat(parts);
}

// Messages that stand for what JSON writes in place: unions, lists of one, and objects with free names.
function encodeSpecial(name: string, value: JsonValue): Buffer | undefined {
  switch (name) {
    case 'Type':
      return field(1, text(textOf(value)));
    case 'Items':
    case 'SchemaItem':
      return field(1, encodeMessage('Schema', value));
    case 'AdditionalProperties':
      return typeof value === 'boolean' ? flag(2, value) : field(1, encodeMessage('Schema', value));
    case 'Properties':
      return named(1, 'Schema', value);
    case 'Paths':
      return named(2, 'PathItem', value);
    case 'Responses':
      return named(1, 'ResponseValue', value);
    case 'ResponseValue':
      return field(1, encodeMessage('Response', value));
    case 'ParametersItem':
      return field(1, encodeParameter(value));
    default:
      return undefined;
  }
}

function encodeParameter(value: JsonValue): Buffer {
  const place = isJsonObject(value) ? value['in'] : undefined;
  if (place === 'body') return field(1, encodeMessage('BodyParameter', value));
  if (place === 'path') return field(2, field(4, encodeMessage('PathParameter', value)));
  return field(2, field(3, encodeMessage('QueryParameter', value)));
}

function encodeField(parts: Buffer[], number: number, kind: FieldKind, value: JsonValue): void {
  if (typeof kind === 'object') {
    if ('message' in kind) parts.push(field(number, encodeMessage(kind.message, value)));
    else if ('messages' in kind)
      for (const item of itemsOf(value)) parts.push(field(number, encodeMessage(kind.messages, item)));
    else parts.push(named(number, kind.named, value));
    return;
  }
  switch (kind) {
    case 'string':
      parts.push(field(number, text(textOf(value))));
      return;
    case 'strings':
      for (const item of itemsOf(value)) parts.push(field(number, text(textOf(item))));
      return;
    case 'bool':
      parts.push(flag(number, value === true));
      return;
    case 'int64':
      parts.push(tag(number, VARINT), varint(BigInt.asUintN(64, BigInt(Math.trunc(Number(value))))));
      return;
    case 'double':
      parts.push(tag(number, FIXED64), double(Number(value)));
      return;
    case 'json':
      parts.push(field(number, anyValue(value)));
      return;
    case 'jsons':
      for (const item of itemsOf(value)) parts.push(field(number, anyValue(item)));
  }
}

function encodeExtensions(parts: Buffer[], number: number, value: JsonObject): void {
  for (const [name, part] of Object.entries(value)) {
    if (name.startsWith('x-'))
      parts.push(field(number, Buffer.concat([field(1, text(name)), field(2, anyValue(part))])));
  }
}

function named(number: number, message: string, value: JsonValue): Buffer {
  if (!isJsonObject(value)) return Buffer.alloc(0);
  const entries = Object.entries(value).map(([name, part]) =>
    field(number, Buffer.concat([field(1, text(name)), field(2, encodeMessage(message, part))])),
  );
  return Buffer.concat(entries);
}

// Any value is kept as YAML, which JSON is.
function anyValue(value: JsonValue): Buffer {
  return field(2, text(`${printJson(value)}\n`));
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : printJson(value);
}

function itemsOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function text(value: string): Buffer {
  return Buffer.from(value, 'utf8');
}

function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([tag(number, BYTES), varint(BigInt(content.length)), content]);
}

function flag(number: number, value: boolean): Buffer {
  return Buffer.concat([tag(number, VARINT), Buffer.from([Number(value)])]);
}

function tag(number: number, wireType: number): Buffer {
  return varint(BigInt((number << 3) | wireType));
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}

function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}
