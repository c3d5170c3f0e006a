import { forbidden, invalid, type FieldError, type Schema } from '@smalt/resource';

import { patternProblem } from './compile-pattern.ts';

type Forbidden = readonly [keyof Schema, string, (value: unknown) => boolean];

const FORBIDDEN: readonly Forbidden[] = [
  ['type', 'must be empty to be structural', isNotEmpty],
  ['additionalProperties', 'must be undefined to be structural', (value) => value !== undefined && value !== false],
  ['default', 'must be undefined to be structural', (value) => value !== undefined && value !== null],
  ['title', 'must be empty to be structural', isNotEmpty],
  ['description', 'must be empty to be structural', isNotEmpty],
  ['nullable', 'must be false to be structural', (value) => value === true],
  ['x-kubernetes-preserve-unknown-fields', 'must be false to be structural', (value) => value === true],
  ['x-kubernetes-embedded-resource', 'must be false to be structural', (value) => value === true],
  ['x-kubernetes-int-or-string', 'must be false to be structural', (value) => value === true],
  ['x-kubernetes-list-map-keys', 'must be empty to be structural', isNotEmpty],
  ['x-kubernetes-list-type', 'must be undefined to be structural', (value) => value !== undefined],
  ['x-kubernetes-map-type', 'must be undefined to be structural', (value) => value !== undefined],
  ['x-kubernetes-validations', 'must be empty to be structural', isNotEmpty],
];

/** What is wrong with the alternatives and the pattern of a schema or of a part of an alternative. */
export function checkValueRules(
  schema: Schema,
  path: string,
  skip: { readonly skipAnyOf: boolean; readonly skipFirstAllOf: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  if (!skip.skipAnyOf) {
    for (const [index, part] of (schema.anyOf ?? []).entries()) {
      errors.push(...checkNested(part, `${path}.anyOf[${index}]`, false));
    }
  }
  for (const [index, part] of (schema.allOf ?? []).entries()) {
    errors.push(...checkNested(part, `${path}.allOf[${index}]`, skip.skipFirstAllOf && index === 0));
  }
  for (const [index, part] of (schema.oneOf ?? []).entries()) {
    errors.push(...checkNested(part, `${path}.oneOf[${index}]`, false));
  }
  if (schema.not !== undefined) errors.push(...checkNested(schema.not, `${path}.not`, false));
  return [...errors, ...checkPattern(schema, path)];
}

function checkPattern(schema: Schema, path: string): FieldError[] {
  const { pattern = '' } = schema;
  const problem = pattern === '' ? undefined : patternProblem(pattern);
  if (problem === undefined) return [];
  return [invalid(`${path}.pattern`, pattern, `must be a valid regular expression, but isn't: ${problem}`)];
}

// What stands inside alternatives restricts values, and says nothing of their shape.
function checkNested(schema: Schema, path: string, skipAnyOf: boolean): FieldError[] {
  const errors = checkValueRules(schema, path, { skipAnyOf, skipFirstAllOf: false });
  if (schema.items !== undefined) errors.push(...checkNested(schema.items, `${path}.items`, false));
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    errors.push(...checkNested(property, `${path}.properties[${name}]`, false));
  }
  for (const [name, detail, isUsed] of FORBIDDEN) {
    if (isUsed(schema[name])) errors.push(forbidden(`${path}.${name}`, detail));
  }
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, 'metadata')) {
    errors.push(forbidden(`${path}.properties[metadata]`, 'must not be specified in a nested context'));
  }
  return errors;
}

function isNotEmpty(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
}
