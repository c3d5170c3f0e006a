import { isJsonObject, type JsonValue } from '@smalt/json';
import { formatQuantity, parseQuantity, QuantityError } from '@smalt/quantity';

import { KubernetesApiError } from './kubernetes-api-error.ts';
import type { ScalarName } from './message-type.ts';
import { canonicalTime } from './time-text.ts';

const MAX_INT32 = 2 ** 31 - 1;
const MAX_INT64 = 2n ** 63n - 1n;

/** Where a value stands, for the text of an error. */
export interface ScalarPlace {
  /** How the type is called in the text. */
  readonly goName: string;
  /** ` Go struct field DeploymentSpec.spec.replicas` or ` Go value`. */
  readonly where: () => string;
}

/** Reads a value that is not null the way Kubernetes reads it; what comes back is the canonical form. */
export function readScalar(scalar: ScalarName, value: JsonValue, place: ScalarPlace): JsonValue {
  switch (scalar) {
    case 'string':
      if (typeof value !== 'string') throw cannotUnmarshal(value, place);
      return value;
    case 'bool':
      if (typeof value !== 'boolean') throw cannotUnmarshal(value, place);
      return value;
    case 'int32':
    case 'int64':
      return readInteger(scalar, value, place);
    case 'double':
      if (typeof value !== 'number' && typeof value !== 'bigint') throw cannotUnmarshal(value, place);
      return value;
    case 'bytes':
      return readBytes(value, place);
    case 'quantity':
      return readQuantity(value, place);
    case 'intOrString':
      if (typeof value === 'string') return value;
      return readInteger('int32', value, { goName: 'int32', where: goValue });
    case 'time':
    case 'microtime':
      return readTime(value, scalar === 'microtime');
    case 'raw':
    case 'json':
    case 'fields':
    case 'schemaOrArray':
    case 'schemaOrBool':
    case 'schemaOrStrings':
      return value;
  }
}

/** The error for a value of the wrong type, as Go words it. */
export function cannotUnmarshal(value: JsonValue, { goName, where }: ScalarPlace, digits = ''): KubernetesApiError {
  const text = `json: cannot unmarshal ${goKind(value)}${digits} into${where()} of type ${goName}`;
  return new KubernetesApiError('wrong-type', text);
}

export function goValue(): string {
  return ' Go value';
}

function goKind(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';
  return isJsonObject(value) ? 'object' : 'array';
}

function readInteger(scalar: 'int32' | 'int64', value: JsonValue, place: ScalarPlace): JsonValue {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw cannotUnmarshal(value, place);
  const isHeld =
    typeof value === 'bigint'
      ? scalar === 'int64' && value <= MAX_INT64 && value >= -MAX_INT64 - 1n
      : Number.isInteger(value) && (scalar === 'int64' || (value <= MAX_INT32 && value >= -MAX_INT32 - 1));
  if (!isHeld) throw cannotUnmarshal(value, place, ` ${value}`);
  return value;
}

function readQuantity(value: JsonValue, place: ScalarPlace): JsonValue {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') {
    throw cannotUnmarshal(value, place);
  }
  // An empty text in quotes is zero.
  if (value === '') return '0';
  try {
    return formatQuantity(parseQuantity(String(value).trim()));
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    throw new KubernetesApiError('wrong-type', error.message, { cause: error });
  }
}

function readTime(value: JsonValue, isMicro: boolean): JsonValue {
  if (typeof value !== 'string') throw cannotUnmarshal(value, { goName: 'string', where: goValue });
  const text = canonicalTime(value, isMicro);
  if (text !== undefined) return text;
  const layout = isMicro ? '2006-01-02T15:04:05.000000Z07:00' : '2006-01-02T15:04:05Z07:00';
  const [part, expected] = unparsedPart(value);
  throw new KubernetesApiError(
    'wrong-type',
    `parsing time ${JSON.stringify(value)} as "${layout}": cannot parse ${JSON.stringify(part)} as "${expected}"`,
  );
}

const TIME_PARTS: readonly (readonly [string, RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d\d/],
  ['-', /^-/],
  ['02', /^\d\d/],
  ['T', /^T/],
  ['15', /^\d\d/],
  [':', /^:/],
  ['04', /^\d\d/],
  [':', /^:/],
  ['05', /^\d\d(\.\d+)?/],
  ['Z07:00', /^(Z|[+-]\d\d:\d\d)$/],
];

/** The rest of the text from the first part that is not as the layout says, and what the layout says there. */
function unparsedPart(text: string): readonly [string, string] {
  let rest = text;
  for (const [layout, pattern] of TIME_PARTS) {
    const match = pattern.exec(rest);
    if (match === null) return [rest, layout];
    rest = rest.slice(match[0].length);
  }
  return [rest, 'Z07:00'];
}

function readBytes(value: JsonValue, place: ScalarPlace): JsonValue {
  if (typeof value !== 'string') throw cannotUnmarshal(value, place);
  const text = /[\r\n]/.test(value) ? value.replaceAll(/[\r\n]/g, '') : value;
  const bad = /[^A-Za-z0-9+/]/.exec(text)?.index ?? text.length;
  const isPadded = bad === text.length ? text.length % 4 === 0 : isPadding(text, bad);
  if (isPadded) return text;
  throw new KubernetesApiError('wrong-type', `illegal base64 data at input byte ${badByte(text, bad)}`);
}

function isPadding(text: string, at: number): boolean {
  return text.length % 4 === 0 && at >= text.length - 2 && /^==?$/.test(text.slice(at));
}

// Go names the byte at which decoding stopped: the bad one, or the start of the last group when that is too short.
function badByte(text: string, bad: number): number {
  if (bad === text.length) return text.length - (text.length % 4);
  if (text[bad] !== '=' || bad % 4 < 2) return bad;
  const end = bad + (4 - (bad % 4));
  return end < text.length ? end : text.length;
}
