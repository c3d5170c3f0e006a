import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import { forbidden, invalid, required, validateLabels, type FieldError } from '@smalt/resource';
import { checkLabelValue, checkQualifiedName } from '@smalt/kubernetes';

import { itemsAt, objectAt, textAt, textOf, textsAt } from '../read-path.ts';

/** What is wrong with a LabelSelector. */
export function validateLabelSelector(selector: JsonValue | undefined, path: string): readonly FieldError[] {
  if (!isJsonObject(selector)) return [];
  return [
    ...validateLabels(selector['matchLabels'], `${path}.matchLabels`),
    ...itemsAt(selector, 'matchExpressions').flatMap((requirement, index) =>
      validateRequirement(requirement, `${path}.matchExpressions[${index}]`),
    ),
  ];
}

/** Whether labels are what a LabelSelector selects. An empty one selects everything. */
export function selectorMatches(selector: JsonObject, labels: JsonObject): boolean {
  const hasLabels = Object.entries(objectAt(selector, 'matchLabels')).every(
    ([key, value]) => Object.hasOwn(labels, key) && labels[key] === value,
  );
  return hasLabels && itemsAt(selector, 'matchExpressions').every((part) => requirementMatches(part, labels));
}

export function isEmptySelector(selector: JsonObject): boolean {
  return Object.keys(objectAt(selector, 'matchLabels')).length + itemsAt(selector, 'matchExpressions').length === 0;
}

/** The text of a LabelSelector as the API takes it in a query: `app=web,tier in (a,b),!old`. */
export function formatLabelSelector(selector: JsonObject): string {
  const labels = Object.entries(objectAt(selector, 'matchLabels')).map(([key, value]) => [
    key,
    `${key}=${textOf(value)}`,
  ]);
  const parts = itemsAt(selector, 'matchExpressions').map((part) => [textAt(part, 'key'), formatRequirement(part)]);
  return [...labels, ...parts]
    .toSorted(([left = ''], [right = '']) => (left < right ? -1 : Number(left > right)))
    .map(([, text]) => text)
    .join(',');
}

function formatRequirement(part: JsonObject): string {
  const key = textAt(part, 'key');
  const values = textsAt(part, 'values').toSorted().join(',');
  const operator = textAt(part, 'operator');
  if (operator === 'In') return `${key} in (${values})`;
  if (operator === 'NotIn') return `${key} notin (${values})`;
  return operator === 'Exists' ? key : `!${key}`;
}

function requirementMatches(part: JsonObject, labels: JsonObject): boolean {
  const key = textAt(part, 'key');
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  const isListed = typeof value === 'string' && textsAt(part, 'values').includes(value);
  const operator = textAt(part, 'operator');
  if (operator === 'In') return isListed;
  if (operator === 'NotIn') return !isListed;
  return (operator === 'Exists') === (value !== undefined);
}

function validateRequirement(part: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const operator = textAt(part, 'operator');
  const values = textsAt(part, 'values');
  if (['In', 'NotIn'].includes(operator)) {
    if (values.length === 0) {
      errors.push(required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (['Exists', 'DoesNotExist'].includes(operator)) {
    if (values.length > 0) {
      errors.push(forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    }
  } else errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  for (const problem of checkQualifiedName(textAt(part, 'key'))) {
    errors.push(invalid(`${path}.key`, textAt(part, 'key'), problem));
  }
  values.forEach((value, index) => {
    for (const problem of checkLabelValue(value)) errors.push(invalid(`${path}.values[${index}]`, value, problem));
  });
  return errors;
}
