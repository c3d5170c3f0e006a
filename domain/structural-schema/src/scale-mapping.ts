import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { goJson, invalid, type FieldError, type ScaleMapping } from '@smalt/resource';

import { textAt } from './read-object.ts';

const MAX_REPLICAS = 2_147_483_647;

/** Where the counts of an object stand, from the `scale` subresource of a CustomResourceDefinition. */
export function scaleMapping(scale: JsonObject): ScaleMapping {
  const selector = textAt(scale, 'labelSelectorPath');
  return {
    specReplicas: namesOf(textAt(scale, 'specReplicasPath')),
    statusReplicas: namesOf(textAt(scale, 'statusReplicasPath')),
    ...(selector === '' ? {} : { labelSelector: namesOf(selector) }),
  };
}

/** What is wrong with the wanted count of an object. */
export function validateScaleSpec(object: JsonObject, scale: ScaleMapping): FieldError[] {
  return validateReplicas(object, scale.specReplicas);
}

/** What is wrong with the counted count of an object, and with what it is counted by. */
export function validateScaleStatus(object: JsonObject, scale: ScaleMapping): FieldError[] {
  const errors = validateReplicas(object, scale.statusReplicas);
  const { labelSelector } = scale;
  if (labelSelector === undefined) return errors;
  const { value, problem } = valueAt(object, labelSelector);
  const field = `.${labelSelector.join('.')}`;
  if (problem !== undefined) return [...errors, invalid(field, '', problem)];
  if (value === undefined || typeof value === 'string') return errors;
  return [...errors, invalid(field, '', wrongType(labelSelector, value, 'string'))];
}

function namesOf(path: string): readonly string[] {
  return path.replace(/^\./, '').split('.');
}

function validateReplicas(object: JsonObject, names: readonly string[]): FieldError[] {
  const field = `.${names.join('.')}`;
  const { value, problem } = valueAt(object, names);
  if (problem !== undefined) return [invalid(field, 0, problem)];
  if (value === undefined) return [];
  const isInteger = typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value));
  if (!isInteger) return [invalid(field, 0, wrongType(names, value, 'int64'))];
  if (value < 0) return [invalid(field, value, 'should be a non-negative integer')];
  return value > MAX_REPLICAS ? [invalid(field, value, `should be less than or equal to ${MAX_REPLICAS}`)] : [];
}

function valueAt(
  object: JsonObject,
  names: readonly string[],
): { readonly value?: JsonValue; readonly problem?: string } {
  let value: JsonValue | undefined = object;
  for (const [index, name] of names.entries()) {
    if (value === undefined || value === null) return {};
    if (!isJsonObject(value)) return { problem: wrongType(names.slice(0, index + 1), value, 'map[string]interface{}') };
    value = value[name];
  }
  return value === undefined ? {} : { value };
}

function wrongType(names: readonly string[], value: JsonValue, expected: string): string {
  const shown = typeof value === 'string' ? value : goJson(value);
  return `.${names.join('.')} accessor error: ${shown} is of the type ${goType(value)}, expected ${expected}`;
}

function goType(value: JsonValue): string {
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (typeof value === 'object') return 'map[string]interface {}';
  return typeof value === 'bigint' || Number.isSafeInteger(value) ? 'int64' : 'float64';
}
