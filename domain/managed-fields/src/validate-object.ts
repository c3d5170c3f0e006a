import { printGoValue } from '@smalt/object-patch';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';

import type { FieldType, ListType, MapType, ScalarType } from './field-type.ts';
import { itemElement } from './item-element.ts';
import { isScalar } from './json-kind.ts';
import { ManagedFieldsError } from './managed-fields-error.ts';
import { fieldElement, type PathElement, printElement } from './path-element.ts';
import { shapeOf } from './shape-of.ts';

interface Walk {
  readonly errors: string[];
  readonly path: PathElement[];
  /** Live objects may hold duplicates from before their lists had keys. */
  readonly allowsDuplicates: boolean;
}

/** What keeps an object from being merged by its type, in Kubernetes' words; undefined when nothing does. */
export function findMisfits(object: JsonObject, type: FieldType, allowsDuplicates: boolean): string | undefined {
  const walk: Walk = { errors: [], path: [], allowsDuplicates };
  visit(object, type, walk);
  const { errors } = walk;
  if (errors.length === 0) return undefined;
  return errors.length === 1 ? errors[0] : ['errors:', ...errors.map((error) => `  ${error}`)].join('\n');
}

function report({ errors, path }: Walk, message: string): void {
  const place = path.map(printElement).join('');
  errors.push(place === '' ? message : `${place}: ${message}`);
}

function visit(value: JsonValue, type: FieldType, walk: Walk): void {
  switch (shapeOf(type, value)) {
    case 'scalar':
      if (type.scalar !== undefined) visitScalar(value, type.scalar, walk);
      return;
    case 'list':
      if (type.list !== undefined) visitList(value, type.list, walk);
      return;
    case 'map':
      if (type.map !== undefined) visitMap(value, type.map, walk);
  }
}

function visitScalar(value: JsonValue, type: ScalarType, walk: Walk): void {
  if (value === null) return;
  switch (type) {
    case 'numeric':
      if (typeof value !== 'number' && typeof value !== 'bigint')
        report(walk, `expected numeric (int or float), got ${goTypeOf(value)}`);
      return;
    case 'string':
      if (typeof value !== 'string')
        report(walk, `expected string, got &value.valueUnstructured{Value:${goSyntaxOf(value)}}`);
      return;
    case 'boolean':
      if (typeof value !== 'boolean') report(walk, `expected boolean, got &{${printGoValue(value)}}`);
      return;
    case 'untyped':
      if (!isScalar(value)) report(walk, `expected any scalar, got &{${printGoValue(value)}}`);
  }
}

function visitList(value: JsonValue, type: ListType, walk: Walk): void {
  if (value === null) return;
  if (!isJsonArray(value)) {
    report(walk, `expected list, got &{${printGoValue(value)}}`);
    return;
  }
  const seen = new Set<PathElement>();
  for (const [at, item] of value.entries()) {
    const element = type.isAtomic ? `i:${at}` : identify(type, item, at, walk);
    if (element === undefined) return;
    if (seen.has(element) && !walk.allowsDuplicates) report(walk, `duplicate entries for key ${printElement(element)}`);
    seen.add(element);
    walk.path.push(element);
    visit(item, type.item, walk);
    walk.path.pop();
  }
}

function identify(type: ListType, item: JsonValue, at: number, walk: Walk): PathElement | undefined {
  try {
    return itemElement(type, item);
  } catch (error) {
    if (!(error instanceof ManagedFieldsError)) throw error;
    report(walk, `element ${at}: ${error.message}`);
    return undefined;
  }
}

function visitMap(value: JsonValue, type: MapType, walk: Walk): void {
  if (value === null) return;
  if (!isJsonObject(value)) {
    report(walk, `expected map, got &{${printGoValue(value)}}`);
    return;
  }
  for (const name in value) {
    walk.path.push(fieldElement(name));
    const fieldType = type.field(name);
    if (fieldType === undefined) report(walk, 'field not declared in schema');
    else visit(value[name] ?? null, fieldType, walk);
    walk.path.pop();
    if (fieldType === undefined) return;
  }
}

function goTypeOf(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  return isJsonArray(value) ? '[]interface {}' : 'map[string]interface {}';
}

function goSyntaxOf(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return JSON.stringify(value);
  if (isJsonArray(value)) return `[]interface {}{${value.map(goSyntaxOf).join(', ')}}`;
  if (!isJsonObject(value)) return String(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}:${goSyntaxOf(field)}`);
  return `map[string]interface {}{${fields.toSorted().join(', ')}}`;
}
