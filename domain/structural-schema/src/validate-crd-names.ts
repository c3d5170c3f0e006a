import type { JsonObject } from '@smalt/json';
import { invalid, required, type FieldError } from '@smalt/resource';
import { checkDns1035Label } from '@smalt/kubernetes';

import { textAt, textsAt } from './read-object.ts';

/** The names of a kind that are missing. */
export function requireCrdNames(names: JsonObject, path: string): FieldError[] {
  return ['plural', 'singular', 'kind', 'listKind']
    .filter((name) => textAt(names, name) === '')
    .map((name) => required(`${path}.${name}`));
}

/** What is wrong with the names of a kind. */
export function validateCrdNames(names: JsonObject, path: string): FieldError[] {
  const errors = ['plural', 'singular'].flatMap((name) => checkName(textAt(names, name), `${path}.${name}`));
  for (const name of ['kind', 'listKind']) errors.push(...checkKind(textAt(names, name), `${path}.${name}`));
  errors.push(...checkEach(names, 'shortNames', path));
  const [kind, listKind] = [textAt(names, 'kind'), textAt(names, 'listKind')];
  if (kind !== '' && kind === listKind) {
    errors.push(invalid(`${path}.listKind`, listKind, 'kind and listKind may not be the same'));
  }
  return [...errors, ...checkEach(names, 'categories', path)];
}

function checkEach(names: JsonObject, name: string, path: string): FieldError[] {
  return textsAt(names, name).flatMap((value, index) => {
    const problems = checkDns1035Label(value);
    return problems.length === 0 ? [] : [invalid(`${path}.${name}[${index}]`, value, problems.join(','))];
  });
}

function checkName(value: string, field: string): FieldError[] {
  const problems = value === '' ? [] : checkDns1035Label(value);
  return problems.length === 0 ? [] : [invalid(field, value, problems.join(','))];
}

function checkKind(value: string, field: string): FieldError[] {
  const problems = value === '' ? [] : checkDns1035Label(value.toLowerCase());
  if (problems.length === 0) return [];
  return [invalid(field, value, `may have mixed case, but should otherwise match: ${problems.join(',')}`)];
}
