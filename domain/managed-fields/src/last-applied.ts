import { isJsonObject, JsonError, jsonField, type JsonObject, type JsonValue, parseJson } from '@smalt/json';

import { compareObjects } from './compare-objects.ts';
import { differenceOf, type FieldSet } from './field-set.ts';
import type { FieldType } from './field-type.ts';
import { annotationOf, metadataOf, withAnnotation } from './object-metadata.ts';
import { ownedFields } from './owned-fields.ts';
import { printGoJson } from './print-go-json.ts';
import { findMisfits } from './validate-object.ts';

export const KUBECTL = 'kubectl';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';
const MAX_ANNOTATIONS_BYTES = 256 * 1024;

/**
 * The fields that an earlier kubectl applied from the client's side and that still are as it left them. Undefined when
 * the object tells nothing of that.
 */
export function allowedConflicts(live: JsonObject, apiVersion: string, type: FieldType): FieldSet | undefined {
  const lastApplied = parseAnnotation(annotationOf(live, LAST_APPLIED));
  if (lastApplied === undefined || jsonField(lastApplied, 'apiVersion') !== apiVersion) return undefined;
  if (findMisfits(lastApplied, type, false) !== undefined) return undefined;
  const fields = ownedFields(lastApplied, type);
  const change = compareObjects(lastApplied, live, type);
  if (change === undefined) return fields;
  return [change.modified, change.added, change.removed].reduce(differenceOf, fields);
}

function parseAnnotation(text: string): JsonObject | undefined {
  if (text === '') return undefined;
  let value: JsonValue;
  try {
    value = parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    // Whoever wrote this annotation, it was not kubectl.
    return undefined;
  }
  return isJsonObject(value) ? value : undefined;
}

/** An object that kubectl has annotated keeps an annotation that is true, for kubectls that apply from the client's side. */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  if (annotationOf(object, LAST_APPLIED) === '') return object;
  const text = `${printGoJson(withAnnotation(applied, LAST_APPLIED, undefined))}\n`;
  const result = withAnnotation(object, LAST_APPLIED, text);
  return annotationsSize(result) > MAX_ANNOTATIONS_BYTES ? withAnnotation(object, LAST_APPLIED, undefined) : result;
}

function annotationsSize(object: JsonObject): number {
  const annotations = jsonField(metadataOf(object), 'annotations');
  let size = 0;
  for (const [name, value] of Object.entries(isJsonObject(annotations) ? annotations : {})) {
    size += Buffer.byteLength(name) + (typeof value === 'string' ? Buffer.byteLength(value) : 0);
  }
  return size;
}
