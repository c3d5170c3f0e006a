import { isJsonObject, type JsonValue } from '@smalt/json';
import { goJson } from '@smalt/resource';

import type { JsonPathNode } from './json-path-node.ts';
import { StructuralSchemaError } from './structural-schema-error.ts';

type Values = readonly JsonValue[];

/** Follows a path from a value. What is missing is found nowhere; what cannot be asked for is an error. */
export function evaluateJsonPath(nodes: readonly JsonPathNode[], values: Values): Values {
  let found = values;
  for (const node of nodes) found = evaluateNode(node, found);
  return found;
}

function evaluateNode(node: JsonPathNode, values: Values): Values {
  switch (node.kind) {
    case 'field':
      return values.flatMap((value) => fieldOf(value, node.name));
    case 'wildcard':
      return values.flatMap(childrenOf);
    case 'recursive':
      return values.flatMap(descendantsOf);
    case 'item':
      return values.flatMap((value) => itemOf(value, node.index));
    case 'slice':
      return values.flatMap((value) => sliceOf(value, node));
    case 'union':
      return node.paths.flatMap((path) => evaluateJsonPath(path, values));
    case 'exists':
      return values.flatMap((value) => itemsOf(value).filter((item) => exists(node.left, item)));
    case 'filter':
      return values.flatMap((value) => itemsOf(value).filter((item) => passes(node, item)));
    case 'literal':
      return typeof node.value === 'string' ? [node.value] : values.map(() => node.value);
    case 'identifier':
      throw problem(node.name === 'end' ? 'not in range, nothing to end' : `unrecognized identifier ${node.name}`);
  }
}

function fieldOf(value: JsonValue, name: string): Values {
  return isJsonObject(value) && Object.hasOwn(value, name) ? [value[name] ?? null] : [];
}

function childrenOf(value: JsonValue): Values {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}

function descendantsOf(value: JsonValue): Values {
  const children = childrenOf(value);
  return children.length === 0 ? [] : [value, ...children.flatMap(descendantsOf)];
}

function itemOf(value: JsonValue, index: number): Values {
  if (value === null) return [];
  const list = listOf(value);
  const place = index < 0 ? index + list.length : index;
  if (place < 0 || place >= list.length) throw outOfBounds(place, list.length);
  return [list[place] ?? null];
}

function sliceOf(value: JsonValue, slice: { start?: number; end?: number; step?: number }): Values {
  if (value === null) return [];
  const list = listOf(value);
  const start = fromEnd(slice.start ?? 0, list.length);
  const end = fromEnd(slice.end ?? list.length, list.length);
  if (start === end) return [];
  if (start < 0 || start >= list.length) throw outOfBounds(start, list.length);
  if (end < 0 || end > list.length) throw outOfBounds(end - 1, list.length);
  if (start > end) throw problem(`starting index ${start} is greater than ending index ${end}`);
  const step = slice.step ?? 1;
  if (step <= 0) throw problem('step must be > 0');
  return list.slice(start, end).filter((_item, index) => index % step === 0);
}

function fromEnd(index: number, length: number): number {
  return index < 0 ? index + length : index;
}

function itemsOf(value: JsonValue): Values {
  if (Array.isArray(value)) return value;
  throw problem(`${goJson(value)} is not array or slice and cannot be filtered`);
}

function listOf(value: JsonValue): Values {
  if (Array.isArray(value)) return value;
  throw problem(`${typeof value} is not array or slice`);
}

// What cannot be asked of an item is not there, so a filter for existence never fails.
function exists(path: readonly JsonPathNode[], item: JsonValue): boolean {
  try {
    return evaluateJsonPath(path, [item]).length > 0;
  } catch (error) {
    if (error instanceof StructuralSchemaError) return false;
    throw error;
  }
}

function passes(node: JsonPathNode & { readonly kind: 'filter' }, item: JsonValue): boolean {
  const left = evaluateJsonPath(node.left, [item]);
  if (left.length === 0) return false;
  const right = evaluateJsonPath(node.right, [item]);
  if (right.length === 0) return false;
  if (left.length > 1 || right.length > 1) throw problem('can only compare one element at a time');
  return compare(left[0] ?? null, right[0] ?? null, node.operator);
}

function compare(left: JsonValue, right: JsonValue, operator: string): boolean {
  if (comparisonKind(left) !== comparisonKind(right)) throw problem('incompatible types for comparison');
  switch (operator) {
    case '==':
      return isSame(left, right);
    case '!=':
      return !isSame(left, right);
    case '<':
      return isLess(left, right);
    case '>':
      return isLess(right, left);
    case '<=':
      return isLess(left, right) || isSame(left, right);
    case '>=':
      return isLess(right, left) || isSame(left, right);
    default:
      throw problem(`unrecognized filter operator ${operator}`);
  }
}

function comparisonKind(value: JsonValue): string {
  if (typeof value === 'object') throw problem('invalid type for comparison');
  return typeof value === 'bigint' ? 'number' : typeof value;
}

function isSame(left: JsonValue, right: JsonValue): boolean {
  // oxlint-disable-next-line eqeqeq -- a bigint equals a number only this way, and the kinds are the same
  return left == right;
}

function isLess(left: JsonValue, right: JsonValue): boolean {
  if (typeof left === 'boolean' || left === null || right === null) throw problem('invalid type for comparison');
  return left < right;
}

function outOfBounds(index: number, length: number): StructuralSchemaError {
  return problem(`array index out of bounds: index ${index}, length ${length}`);
}

function problem(message: string): StructuralSchemaError {
  return new StructuralSchemaError('json-path-failed', message);
}
