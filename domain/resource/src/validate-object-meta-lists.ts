import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { checkQualifiedName } from '@smalt/kubernetes';

import type { FieldError } from './field-error.ts';
import { goStructJson } from './go-text.ts';
import { invalid, tooLong } from './make-field-error.ts';
import { validateFieldManager } from './validate-field-manager.ts';

const MAX_SUBRESOURCE_BYTES = 256;

/** What is wrong with the owners of an object; at most one may be its controller. */
export function validateOwnerReferences(references: JsonValue | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  let controller: string | undefined;
  for (const reference of objectsOf(references)) {
    errors.push(...validateOwnerReference(reference, path));
    if (reference['controller'] !== true) continue;
    const name = `${textOf(reference['kind'])}/${textOf(reference['name'])}`;
    if (controller === undefined) controller = name;
    else errors.push(invalidReferences(path, references ?? null, twoControllers(controller, name)));
  }
  return errors;
}

/** What is wrong with the finalizers of an object. */
export function validateFinalizers(finalizers: JsonValue | undefined, path: string): FieldError[] {
  const names = textsOf(finalizers);
  const errors = names.flatMap((name) => checkQualifiedName(name).map((problem) => invalid(path, name, problem)));
  if (names.includes('orphan') && names.includes('foregroundDeletion')) {
    errors.push(invalid(path, names, 'finalizer orphan and foregroundDeletion cannot be both set'));
  }
  return errors;
}

/** What is wrong with the records of who owns which fields. */
export function validateManagedFields(entries: JsonValue | undefined, path: string): FieldError[] {
  return objectsOf(entries).flatMap((entry, index) => validateManagedFieldsEntry(entry, `${path}[${index}]`));
}

/** The texts of a list, without what is none. */
export function textsOf(list: JsonValue | undefined): readonly string[] {
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : [];
}

function validateOwnerReference(reference: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = textOf(reference['apiVersion']);
  // One that cannot be read has no version either.
  if (apiVersion === '' || apiVersion.endsWith('/') || apiVersion.split('/').length > 2) {
    errors.push(invalid(`${path}.apiVersion`, apiVersion, 'version must not be empty'));
  }
  for (const name of ['kind', 'name', 'uid']) {
    if (textOf(reference[name]) === '') errors.push(invalid(`${path}.${name}`, '', 'must not be empty'));
  }
  if (apiVersion === 'v1' && reference['kind'] === 'Event') {
    errors.push(invalidReferences(path, reference, '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

// Owner references are shown with their fields as they are declared.
function invalidReferences(path: string, value: JsonValue, detail: string): FieldError {
  const shown = Array.isArray(value) ? value.map(inDeclaredOrder) : inDeclaredOrder(value);
  return { ...invalid(path, value, detail), shownValue: goStructJson(shown) };
}

function inDeclaredOrder(reference: JsonValue): JsonValue {
  if (!isJsonObject(reference)) return reference;
  const ordered: Record<string, JsonValue> = {};
  for (const name of ['apiVersion', 'kind', 'name', 'uid']) ordered[name] = textOf(reference[name]);
  for (const name of ['controller', 'blockOwnerDeletion']) {
    const value = reference[name];
    if (typeof value === 'boolean') ordered[name] = value;
  }
  return ordered;
}

function twoControllers(first: string, second: string): string {
  return `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
}

function validateManagedFieldsEntry(entry: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const operation = textOf(entry['operation']);
  if (operation !== 'Apply' && operation !== 'Update') {
    errors.push(invalid(`${path}.operation`, operation, 'must be `Apply` or `Update`'));
  }
  const fieldsType = textOf(entry['fieldsType']);
  if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
    errors.push(invalid(`${path}.fieldsType`, fieldsType, 'must be `FieldsV1`'));
  }
  errors.push(...validateFieldManager(textOf(entry['manager']), `${path}.manager`));
  if (Buffer.byteLength(textOf(entry['subresource'])) > MAX_SUBRESOURCE_BYTES) {
    errors.push(tooLong(`${path}.subresource`, MAX_SUBRESOURCE_BYTES));
  }
  return errors;
}

function objectsOf(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isJsonObject) : [];
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
