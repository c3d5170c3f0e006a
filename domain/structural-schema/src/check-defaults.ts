import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '@smalt/json';
import { formatFieldError, invalid, type FieldError, type Schema } from '@smalt/resource';

import { checkEmbedded, compileEmbeddedCheck } from './check-embedded.ts';
import { metadataTypeProblem } from './check-metadata-types.ts';
import { compileCheck } from './compile-check.ts';
import { compileRulesAt } from './compile-rules.ts';
import { isMetaField } from './metadata-schema.ts';
import { compilePrune } from './prune.ts';
import { ValidationRun } from './validation-run.ts';

/** Puts a default where it would stand in an object, and nothing else. */
type Surround = (value: JsonValue) => JsonValue;

interface DefaultPlace {
  readonly path: string;
  readonly surround: Surround;
  readonly isInsideMeta: boolean;
}

/** What is wrong with the defaults of a schema: each must be valid, and have no fields that the schema does not know. */
export function checkDefaults(schema: Schema, path: string): FieldError[] {
  return checkPart(
    { ...schema, 'x-kubernetes-embedded-resource': true },
    { path, surround: (value) => value, isInsideMeta: false },
  );
}

function checkPart(schema: Schema, around: DefaultPlace): FieldError[] {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const place: DefaultPlace = isEmbedded ? { ...around, surround: withTypeMeta, isInsideMeta: false } : around;
  const errors = checkDefault(schema, place);
  const { items, properties } = schema;
  if (items !== undefined) {
    const surround: Surround = (value) => place.surround([value]);
    errors.push(...checkPart(items, { ...place, path: `${place.path}.items`, surround }));
  }
  for (const [name, property] of Object.entries(properties ?? {})) {
    errors.push(
      ...checkPart(property, {
        path: `${place.path}.properties[${name}]`,
        surround: (value) => place.surround({ [name]: value }),
        isInsideMeta: place.isInsideMeta || (isEmbedded && isMetaField(name)),
      }),
    );
  }
  return errors;
}

function withTypeMeta(value: JsonValue): JsonValue {
  return isJsonObject(value) ? { apiVersion: 'validation/v1', kind: 'Validation', ...value } : value;
}

function checkDefault(schema: Schema, place: DefaultPlace): FieldError[] {
  const value = schema.default;
  if (value === undefined || value === null) return [];
  const path = `${place.path}.default`;
  if (place.isInsideMeta) return checkMetaDefault(schema, value, path, place.surround(value));
  const errors = checkPruned(schema, value, path);
  const shape = checkShape(schema, value, path);
  return [...errors, ...(shape.length > 0 ? shape : checkValue(schema, value, path))];
}

function checkMetaDefault(schema: Schema, value: JsonValue, path: string, whole: JsonValue): FieldError[] {
  const metadata: JsonObject = isJsonObject(whole) ? whole : {};
  const problem = metadataTypeProblem(metadata['metadata'] ?? null) ?? firstProblem(metadata);
  if (problem !== undefined) return [invalid(path, value, `must result in valid metadata: ${problem}`)];
  return checkValue(schema, value, path);
}

function firstProblem(object: JsonObject): string | undefined {
  const errors: FieldError[] = [];
  checkEmbedded(object, '', errors);
  const lines = [...new Set(errors.map(formatFieldError))];
  if (lines.length === 0) return undefined;
  return lines.length === 1 ? lines[0] : `[${lines.join(', ')}]`;
}

function checkPruned(schema: Schema, value: JsonValue, path: string): FieldError[] {
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const pruned = compilePrune(schema, isEmbedded)(value, '', []);
  return isSameJson(pruned, value) ? [] : [invalid(path, value, 'must not have unknown fields')];
}

function checkShape(schema: Schema, value: JsonValue, path: string): FieldError[] {
  const errors: FieldError[] = [];
  compileEmbeddedCheck(schema)?.(value, path, errors);
  return errors;
}

function checkValue(schema: Schema, value: JsonValue, path: string): FieldError[] {
  const run = new ValidationRun(path, undefined);
  compileCheck(schema)(value, run);
  const errors = run.errors();
  if (errors.length > 0) return errors;
  const checkRules = compileRulesAt(schema, schema['x-kubernetes-embedded-resource'] === true);
  if (checkRules === undefined) return [];
  // A rule may look at the old value, so a default has to be good both when it is new and when it stays.
  const staying = checkRules(value, value, path);
  return staying.length > 0 ? [...staying] : [...checkRules(value, undefined, path)];
}
