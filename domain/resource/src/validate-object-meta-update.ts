import type { JsonObject, JsonValue } from '@smalt/json';

import type { FieldError } from './field-error.ts';
import { goQuote } from './go-text.ts';
import { forbidden, invalid } from './make-field-error.ts';
import { textsOf, validateManagedFields, validateOwnerReferences } from './validate-object-meta-lists.ts';
import { validateAnnotations, validateLabels } from './validate-object-meta.ts';

const FIELD_IS_IMMUTABLE = 'field is immutable';

/** What is wrong with the metadata that is to replace other metadata. */
export function validateObjectMetaUpdate(metadata: JsonObject, old: JsonObject, path = 'metadata'): FieldError[] {
  return [
    ...validateNoNewFinalizers(metadata, old, path),
    ...validateVersions(metadata, old, path),
    ...['name', 'namespace', 'uid'].flatMap((name) => {
      return validateUnchanged(metadata[name] ?? '', old[name] ?? '', `${path}.${name}`);
    }),
    ...['creationTimestamp', 'deletionTimestamp'].flatMap((name) => {
      return isSameTime(metadata[name], old[name])
        ? []
        : [invalid(`${path}.${name}`, metadata[name] ?? null, FIELD_IS_IMMUTABLE)];
    }),
    ...validateUnchanged(
      metadata['deletionGracePeriodSeconds'] ?? null,
      old['deletionGracePeriodSeconds'] ?? null,
      `${path}.deletionGracePeriodSeconds`,
    ),
    ...validateLabels(metadata['labels'], `${path}.labels`),
    ...validateAnnotations(metadata['annotations'], `${path}.annotations`),
    ...validateOwnerReferences(metadata['ownerReferences'], `${path}.ownerReferences`),
    ...validateManagedFields(metadata['managedFields'], `${path}.managedFields`),
  ];
}

/** The error for an update without a resourceVersion of a kind that does not allow that. */
export function resourceVersionRequired(): FieldError {
  return invalid('metadata.resourceVersion', 0, 'must be specified for an update');
}

function validateNoNewFinalizers(metadata: JsonObject, old: JsonObject, path: string): FieldError[] {
  if (old['deletionTimestamp'] === undefined || old['deletionTimestamp'] === null) return [];
  const before = new Set(textsOf(old['finalizers']));
  const added = [...new Set(textsOf(metadata['finalizers']))].filter((name) => !before.has(name)).toSorted();
  if (added.length === 0) return [];
  const shown = `[]string{${added.map(goQuote).join(', ')}}`;
  const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${shown}`;
  return [forbidden(`${path}.finalizers`, detail)];
}

function validateVersions(metadata: JsonObject, old: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const version = metadata['resourceVersion'];
  if (version === undefined || version === '' || version === null) {
    errors.push(invalid(`${path}.resourceVersion`, '', 'must be specified for an update'));
  }
  const generation = numberOf(metadata['generation']);
  if (generation < numberOf(old['generation'])) {
    errors.push(invalid(`${path}.generation`, generation, 'must not be decremented'));
  }
  return errors;
}

function validateUnchanged(value: JsonValue, old: JsonValue, field: string): FieldError[] {
  return value === old ? [] : [invalid(field, value, FIELD_IS_IMMUTABLE)];
}

function isSameTime(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  if ((left ?? null) === (right ?? null)) return true;
  return typeof left === 'string' && typeof right === 'string' && Date.parse(left) === Date.parse(right);
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === 'number' ? value : 0;
}
