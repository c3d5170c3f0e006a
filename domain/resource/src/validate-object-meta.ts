import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { checkDns1123Label, checkLabelValue, checkQualifiedName, forPrefix, type NameRule } from '@smalt/kubernetes';

import type { FieldError } from './field-error.ts';
import { forbidden, invalid, required, tooLong } from './make-field-error.ts';
import { validateFinalizers, validateManagedFields, validateOwnerReferences } from './validate-object-meta-lists.ts';

const MAX_ANNOTATION_BYTES = 256 * 1024;

export interface ObjectMetaRules {
  readonly isNamespaced: boolean;
  readonly nameRule: NameRule;
}

/** What is wrong with the metadata of a new object, after its name was generated. */
export function validateObjectMeta(metadata: JsonObject, rules: ObjectMetaRules, path = 'metadata'): FieldError[] {
  return [
    ...validateGenerateName(metadata, rules, path),
    ...validateName(metadata, rules, path),
    ...validateNamespace(metadata, rules, path),
    ...validateGeneration(metadata, path),
    ...validateLabels(metadata['labels'], `${path}.labels`),
    ...validateAnnotations(metadata['annotations'], `${path}.annotations`),
    ...validateOwnerReferences(metadata['ownerReferences'], `${path}.ownerReferences`),
    ...validateFinalizers(metadata['finalizers'], `${path}.finalizers`),
    ...validateManagedFields(metadata['managedFields'], `${path}.managedFields`),
  ];
}

/** What is wrong with a set of labels. */
export function validateLabels(labels: JsonValue | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [key, value] of textEntries(labels)) {
    for (const problem of checkQualifiedName(key)) errors.push(invalid(path, key, problem));
    for (const problem of checkLabelValue(value)) errors.push(invalid(path, value, problem));
  }
  return errors;
}

/** What is wrong with a set of annotations: their keys, and their size taken together. */
export function validateAnnotations(annotations: JsonValue | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const [key, value] of textEntries(annotations)) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
    for (const problem of checkQualifiedName(key.toLowerCase())) errors.push(invalid(path, key, problem));
  }
  if (bytes > MAX_ANNOTATION_BYTES) errors.push(tooLong(path, MAX_ANNOTATION_BYTES));
  return errors;
}

function validateGenerateName(metadata: JsonObject, rules: ObjectMetaRules, path: string): FieldError[] {
  const name = metadata['generateName'];
  if (typeof name !== 'string' || name === '') return [];
  return forPrefix(rules.nameRule)(name).map((problem) => invalid(`${path}.generateName`, name, problem));
}

function validateName(metadata: JsonObject, rules: ObjectMetaRules, path: string): FieldError[] {
  const name = metadata['name'];
  if (typeof name !== 'string' || name === '') return [required(`${path}.name`, 'name or generateName is required')];
  return rules.nameRule(name).map((problem) => invalid(`${path}.name`, name, problem));
}

function validateNamespace(metadata: JsonObject, rules: ObjectMetaRules, path: string): FieldError[] {
  const field = `${path}.namespace`;
  const namespace = metadata['namespace'];
  const isGiven = typeof namespace === 'string' && namespace !== '';
  if (!rules.isNamespaced) return isGiven ? [forbidden(field, 'not allowed on this type')] : [];
  if (!isGiven) return [required(field)];
  return checkDns1123Label(namespace).map((problem) => invalid(field, namespace, problem));
}

function validateGeneration(metadata: JsonObject, path: string): FieldError[] {
  const generation = metadata['generation'];
  if (typeof generation !== 'number' || generation >= 0) return [];
  return [invalid(`${path}.generation`, generation, 'must be greater than or equal to 0')];
}

function textEntries(map: JsonValue | undefined): readonly (readonly [string, string])[] {
  if (!isJsonObject(map)) return [];
  return Object.entries(map).map(([key, value]) => [key, typeof value === 'string' ? value : '']);
}
