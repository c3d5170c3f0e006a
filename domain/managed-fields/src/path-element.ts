import { isJsonObject, JsonError, type JsonObject, type JsonValue, parseJson } from '@smalt/json';

import { compareText, compareValues } from './compare-values.ts';
import { ManagedFieldsError } from './managed-fields-error.ts';
import { printGoJson } from './print-go-json.ts';

/**
 * One step of a path to a field, as FieldsV1 writes it: `f:name` is a field, `k:{"name":"a"}` the item of a list with
 * these keys, `v:"x"` an item of a set, `i:0` an item by its index. The text is canonical, so equal steps are equal texts.
 */
export type PathElement = string;

/** Marks in a FieldsV1 object that the field itself is meant and not only what is below it. */
export const SELF = '.';

export function fieldElement(name: string): PathElement {
  return `f:${name}`;
}

export function keyElement(keys: JsonObject): PathElement {
  return `k:${printGoJson(keys)}`;
}

/** The element of an item with a single key, which nearly all are. */
export function singleKeyElement(name: string, value: JsonValue): PathElement {
  return `k:{${printGoJson(name)}:${printGoJson(value)}}`;
}

export function valueElement(value: JsonValue): PathElement {
  return `v:${printGoJson(value)}`;
}

/** The name of the field that an element means; undefined for items of lists. */
export function fieldNameOf(element: PathElement): string | undefined {
  return element.startsWith('f:') ? element.slice(2) : undefined;
}

/** Orders elements as Kubernetes writes them: fields, then keys, values and indexes. */
export function compareElements(left: PathElement, right: PathElement): number {
  if (left === right) return 0;
  const leftType = left.charCodeAt(0);
  if (leftType !== right.charCodeAt(0)) return rankOf(left) - rankOf(right);
  if (left.startsWith('f:')) return compareText(left, right);
  const leftValue = contentOf(left);
  const rightValue = contentOf(right);
  if (isJsonObject(leftValue) && isJsonObject(rightValue) && left.startsWith('k:'))
    return compareKeys(leftValue, rightValue);
  return compareValues(leftValue, rightValue);
}

function rankOf(element: PathElement): number {
  return 'fkvi'.indexOf(element.charAt(0));
}

function contentOf(element: PathElement): JsonValue {
  return parseJson(element.slice(2));
}

function compareKeys(left: JsonObject, right: JsonObject): number {
  const leftKeys = Object.entries(left);
  const rightKeys = Object.entries(right);
  for (const [at, [name, value]] of leftKeys.entries()) {
    const other = rightKeys[at];
    if (other === undefined) return 1;
    const order = compareText(name, other[0]) || compareValues(value, other[1]);
    if (order !== 0) return order;
  }
  return leftKeys.length - rightKeys.length;
}

/**
 * Reads an element that came from outside and makes it canonical. Undefined for a type of element that is not known:
 * a later version may know it, and Kubernetes drops those.
 */
export function parsePathElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new ManagedFieldsError('failed', 'key must be 2 characters long:');
  if (text[1] !== ':') throw new ManagedFieldsError('failed', `missing colon: ${text}`);
  switch (text.charAt(0)) {
    case 'f':
      return text;
    case 'v':
      return valueElement(parseContent(text));
    case 'k':
      return parseKeyElement(text);
    case 'i':
      return parseIndexElement(text);
    default:
      return undefined;
  }
}

function parseKeyElement(text: string): PathElement {
  const keys = parseContent(text);
  if (!isJsonObject(keys)) throw new ManagedFieldsError('failed', `the keys of a list item must be an object: ${text}`);
  return keyElement(keys);
}

function parseIndexElement(text: string): PathElement {
  if (!/^i:[+-]?\d+$/.test(text)) {
    throw new ManagedFieldsError('failed', `strconv.Atoi: parsing ${JSON.stringify(text.slice(2))}: invalid syntax`);
  }
  return `i:${Number(text.slice(2))}`;
}

function parseContent(text: string): JsonValue {
  try {
    return contentOf(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new ManagedFieldsError('failed', `${text}: ${error.message}`, { cause: error });
  }
}

/** An element as people read it: `.name`, `[name="a"]`, `[="x"]`, `[0]`. */
export function printElement(element: PathElement): string {
  const name = fieldNameOf(element);
  if (name !== undefined) return `.${name}`;
  const content = contentOf(element);
  if (element.startsWith('i:')) return `[${printScalar(content)}]`;
  if (element.startsWith('v:') || !isJsonObject(content)) return `[=${printScalar(content)}]`;
  const keys = Object.entries(content).map(([key, value]) => `${key}=${printScalar(value)}`);
  return `[${keys.join(',')}]`;
}

function printScalar(value: JsonValue): string {
  return typeof value === 'string' ? JSON.stringify(value) : printGoJson(value);
}
