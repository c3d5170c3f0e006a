import type { JsonObject } from '@smalt/json';
import { invalid, validateObjectMeta, validateObjectMetaUpdate, type FieldError, type Resource } from '@smalt/resource';
import { checkPathSegmentName } from '@smalt/kubernetes';

import { invalidError } from '../errors/make-status-error.ts';
import { finalizersOf, metadataOf, metadataText } from './object-metadata.ts';
import type { Subresource } from './write-context.ts';

const STANDARD_FINALIZERS: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

// A definition, for one, waits with a finalizer that has no slash.
const MACHINERY_GROUPS: ReadonlySet<string> = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
]);

/** Refuses a new object that is not valid. */
export function checkNewObject(resource: Resource, object: JsonObject): void {
  refuse(resource, object, [...resource.strategy.validate(object), ...plainFinalizers(resource, object)]);
  refuse(resource, object, metadataErrors(resource, object));
}

/** Refuses a changed object that is not valid, or that may not be changed in this way. */
export function checkChangedObject(
  resource: Resource,
  object: JsonObject,
  old: JsonObject,
  subresource: Subresource,
): void {
  const { strategy } = resource;
  const own =
    subresource === 'status' ? strategy.validateStatusUpdate(object, old) : strategy.validateUpdate(object, old);
  const common = [
    ...metadataErrors(resource, object),
    ...validateObjectMetaUpdate(metadataOf(object), metadataOf(old)),
  ];
  refuse(resource, object, withoutRepeats([...common, ...own]));
}

// The strategy of a kind names things by its own rule; this one only keeps names fit for a path.
function metadataErrors(resource: Resource, object: JsonObject): readonly FieldError[] {
  const rules = { isNamespaced: resource.isNamespaced, nameRule: checkPathSegmentName };
  const errors = validateObjectMeta(metadataOf(object), rules);
  return [...errors, ...plainFinalizers(resource, object)];
}

// Custom resources, and the kinds that the machinery of the API itself rests on, are let through with a warning.
function plainFinalizers(resource: Resource, object: JsonObject): readonly FieldError[] {
  if (!resource.isBuiltIn || MACHINERY_GROUPS.has(resource.group)) return [];
  const why = 'name is neither a standard finalizer name nor is it fully qualified';
  return finalizersOf(object).flatMap((name, index) =>
    name.includes('/') || STANDARD_FINALIZERS.has(name) ? [] : [invalid(`metadata.finalizers[${index}]`, name, why)],
  );
}

function withoutRepeats(errors: readonly FieldError[]): readonly FieldError[] {
  return errors.filter((error, index) => !errors.slice(0, index).some((earlier) => isSame(earlier, error)));
}

function isSame(left: FieldError, right: FieldError): boolean {
  return left.field === right.field && left.reason === right.reason && left.detail === right.detail;
}

function refuse(resource: Resource, object: JsonObject, errors: readonly FieldError[]): void {
  if (errors.length > 0) throw invalidError(resource, metadataText(object, 'name'), errors);
}
