import { isJsonObject, type JsonValue } from '@smalt/json';

import { CelDuration, CelFailure, CelTimestamp, type CelOutcome } from './cel-value.ts';
import { JsonList, JsonListMap, JsonMap, JsonSet, UnknownJson, type Convert } from './json-values.ts';
import { withObjectMeta, type SchemaLike } from './schema-like.ts';
import { MAX_DURATION_LENGTH, parseDuration, parseTimestamp, utcMilliseconds } from './time-text.ts';

/** Makes the function that turns JSON of a schema into values. What is no such JSON becomes a failure. */
export function converterOf(schema: SchemaLike): Convert {
  const convert = converterOfPresent(schema);
  const ofNull: CelOutcome =
    schema.nullable === true ? null : new CelFailure('invalid data, got null for schema with nullable=false');
  return (json) => (json === null ? ofNull : convert(json));
}

function converterOfPresent(schema: SchemaLike): Convert {
  if (schema['x-kubernetes-int-or-string'] === true) return convertIntOrString;
  switch (schema.type ?? '') {
    case 'object':
      return objectConverter(schema);
    case 'array':
      return listConverter(schema);
    case 'string':
      return stringConverter(schema.format);
    case 'number':
      return (json) => (typeof json === 'number' || typeof json === 'bigint' ? Number(json) : expected('float', json));
    case 'integer':
      return convertInteger;
    case 'boolean':
      return (json) => (typeof json === 'boolean' ? json : expected('bool', json));
    default:
      if (schema['x-kubernetes-preserve-unknown-fields'] === true) return (json) => new UnknownJson(json);
      return () =>
        new CelFailure(
          `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${schema.type ?? ''}`,
        );
  }
}

function convertIntOrString(json: JsonValue): CelOutcome {
  if (typeof json === 'string') return json;
  const value = integerOf(json);
  return value ?? new CelFailure('invalid data, expected XIntOrString value to be either a string or integer');
}

function convertInteger(json: JsonValue): CelOutcome {
  return integerOf(json) ?? expected('int', json);
}

function integerOf(json: JsonValue): bigint | undefined {
  if (typeof json === 'bigint') return json;
  return typeof json === 'number' && Number.isInteger(json) ? BigInt(json) : undefined;
}

function objectConverter(schema: SchemaLike): Convert {
  const full = schema['x-kubernetes-embedded-resource'] === true ? withObjectMeta(schema) : schema;
  const convertField = fieldConverter(full);
  const isObject = full.properties !== undefined;
  return (json) => {
    if (isJsonObject(json)) return new JsonMap(json, convertField, isObject);
    return new CelFailure('invalid data, expected a map for the provided schema with type=object');
  };
}

// Schemas nest deeply and expressions look at little of them, so converters are made when they are first asked for.
function fieldConverter(schema: SchemaLike): (name: string) => Convert | undefined {
  const { properties, additionalProperties } = schema;
  if (properties === undefined) {
    if (typeof additionalProperties !== 'object') return () => undefined;
    let convert: Convert | undefined;
    return () => (convert ??= converterOf(additionalProperties));
  }
  const converters = new Map<string, Convert>();
  return (name) => {
    const known = converters.get(name);
    if (known !== undefined) return known;
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) return undefined;
    const convert = converterOf(property);
    converters.set(name, convert);
    return convert;
  };
}

function listConverter(schema: SchemaLike): Convert {
  const { items } = schema;
  let convert: Convert | undefined;
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const listType = schema['x-kubernetes-list-type'] ?? 'atomic';
  return (json) => {
    if (!isList(json)) return new CelFailure('invalid data, expected an array for the provided schema with type=array');
    if (items === undefined) return new CelFailure('invalid array type, expected Items with a non-empty Schema');
    convert ??= converterOf(items);
    if (listType === 'map') return new JsonListMap(json, convert, keys);
    if (listType === 'set') return new JsonSet(json, convert);
    if (listType === 'atomic') return new JsonList(json, convert);
    return new CelFailure(`invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${listType}`);
  };
}

function isList(json: JsonValue): json is readonly JsonValue[] {
  return Array.isArray(json);
}

function stringConverter(format: string | undefined): Convert {
  const read = readerOfFormat(format);
  return (json) => (typeof json === 'string' ? read(json) : expected('string', json));
}

function readerOfFormat(format: string | undefined): (text: string) => CelOutcome {
  switch (format ?? '') {
    case 'duration':
      return (text) =>
        readDuration(text) ?? new CelFailure(`Invalid duration ${text}: unable to parse "${text}" as duration`);
    case 'date':
      return (text) =>
        readDate(text) ?? new CelFailure(`Invalid date formatted string ${text}: cannot parse "${text}"`);
    case 'date-time':
      return (text) =>
        readDateTime(text) ?? new CelFailure(`Invalid date-time formatted string ${text}: cannot parse "${text}"`);
    case 'byte':
      return (text) => readBase64(text) ?? new CelFailure(`Invalid byte formatted string ${text}: illegal base64 data`);
    default:
      return (text) => text;
  }
}

const DAY = 86_400_000_000_000n;
const WORDS: ReadonlyMap<string, bigint> = new Map(
  [
    ['ns nano nanos nanosecond nanoseconds', 1n] as const,
    ['us µs micro micros microsecond microseconds', 1000n] as const,
    ['ms milli millis millisecond milliseconds', 1_000_000n] as const,
    ['s sec secs second seconds', 1_000_000_000n] as const,
    ['m min mins minute minutes', 60_000_000_000n] as const,
    ['h hr hrs hour hours', 3_600_000_000_000n] as const,
    ['d day days', DAY] as const,
    ['w wk wks week weeks', 7n * DAY] as const,
  ].flatMap(([words, size]) => words.split(' ').map((word): [string, bigint] => [word, size])),
);

// The format takes words as well: "3 days 2 hours".
function readDuration(text: string): CelDuration | undefined {
  const duration = parseDuration(text);
  if (duration !== undefined || text.length > MAX_DURATION_LENGTH) return duration;
  let total = 0n;
  let hasPart = false;
  for (const [, amount = '', word = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const size = WORDS.get(word.toLowerCase());
    if (size === undefined) continue;
    hasPart = true;
    total += BigInt(amount) * size;
  }
  return hasPart ? new CelDuration(total) : undefined;
}

function readDate(text: string): CelTimestamp | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  const milliseconds = match === null ? undefined : utcMilliseconds(match.slice(1).map(Number));
  return milliseconds === undefined ? undefined : new CelTimestamp(BigInt(milliseconds) * 1_000_000n);
}

// Also taken: offsets without a colon, and no offset at all, which means UTC.
function readDateTime(text: string): CelTimestamp | undefined {
  const withColon = text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
  return parseTimestamp(withColon) ?? parseTimestamp(`${text}Z`);
}

function readBase64(text: string): Uint8Array | undefined {
  const isValid = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text.replace(/[\r\n]/g, ''));
  return isValid ? Buffer.from(text, 'base64') : undefined;
}

function expected(what: string, json: JsonValue): CelFailure {
  return new CelFailure(`invalid data, expected ${what}, got ${goTypeOf(json)}`);
}

// Messages name the types that Kubernetes' JSON decoder makes.
function goTypeOf(json: JsonValue): string {
  if (json === null) return '<nil>';
  if (Array.isArray(json)) return '[]interface {}';
  if (typeof json === 'string') return 'string';
  if (typeof json === 'boolean') return 'bool';
  if (typeof json === 'bigint') return 'int64';
  if (typeof json === 'number') return Number.isInteger(json) ? 'int64' : 'float64';
  return 'map[string]interface {}';
}
