import { isSameJson, type JsonObject, type JsonValue } from '@smalt/json';
import { invalid, notSupported, required, type FieldError } from '@smalt/resource';
import { type NameRule } from '@smalt/kubernetes';

import { isGivenAt, numberAt, textAt, valueAt } from '../read-path.ts';

const IMMUTABLE = 'field is immutable';
const MAX_PORT = 65_535;

/** A field that holds a name has to hold a good one; an empty name is asked for. */
export function checkName(object: JsonObject, name: string, path: string, rule: NameRule): readonly FieldError[] {
  const value = textAt(object, name);
  if (value === '') return [required(`${path}.${name}`)];
  return rule(value).map((problem) => invalid(`${path}.${name}`, value, problem));
}

/** A field has to hold one of these words. Nothing at all is asked for, unless it may be absent. */
export function checkWord(
  object: JsonObject,
  name: string,
  path: string,
  words: readonly string[],
): readonly FieldError[] {
  const value = textAt(object, name);
  const field = path === '' ? name : `${path}.${name}`;
  if (value === '') return [required(field)];
  return words.includes(value) ? [] : [notSupported(field, value, words)];
}

/** A number that is given may not be below zero. */
export function checkNotNegative(object: JsonObject, names: readonly string[], path: string): readonly FieldError[] {
  return names
    .filter((name) => isGivenAt(object, name) && numberAt(object, name) < 0)
    .map((name) => invalid(`${path}.${name}`, numberAt(object, name), 'must be greater than or equal to 0'));
}

export function checkPortNumber(port: number, field: string): readonly FieldError[] {
  return port >= 1 && port <= MAX_PORT ? [] : [invalid(field, port, `must be between 1 and ${MAX_PORT}, inclusive`)];
}

/** What is wrong with the name of a port. */
export function checkPortName(name: string): readonly string[] {
  const problems: string[] = [];
  if (name.length > 15) problems.push('must be no more than 15 characters');
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)');
  }
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)');
  if (name.includes('--')) problems.push('must not contain consecutive hyphens');
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen');
  return problems;
}

/** A port that is meant by its number or by its name. */
export function checkPort(port: JsonValue | undefined, field: string): readonly FieldError[] {
  if (typeof port === 'string') return checkPortName(port).map((problem) => invalid(field, port, problem));
  return checkPortNumber(typeof port === 'number' ? port : 0, field);
}

/** A field may not change; `path` leads to it. */
export function checkUnchanged(object: JsonObject, old: JsonObject, ...path: readonly string[]): readonly FieldError[] {
  const value = valueAt(object, ...path);
  if (isSameJson(value ?? null, valueAt(old, ...path) ?? null)) return [];
  return [invalid(path.join('.'), value ?? null, IMMUTABLE)];
}

/** Whether the same stands at a path in both; nothing and null are the same. */
export function isSameAt(left: JsonObject, right: JsonObject, ...path: readonly string[]): boolean {
  return isSameJson(valueAt(left, ...path) ?? null, valueAt(right, ...path) ?? null);
}
