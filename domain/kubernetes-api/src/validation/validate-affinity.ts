import type { JsonObject } from '@smalt/json';
import { checkQualifiedName } from '@smalt/kubernetes';
import { forbidden, invalid, required, type FieldError } from '@smalt/resource';

import { isGivenAt, itemsAt, numberAt, objectAt, textAt, textsAt } from '../read-path.ts';
import { validateLabelSelector } from './label-selector.ts';
import { validateLabelKeys } from './validate-label-keys.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
const MOST_WEIGHT = 100;

/** What is wrong with where a pod wants to be. */
export function validateAffinity(affinity: JsonObject, path: string): readonly FieldError[] {
  return [
    ...validateNodeAffinity(objectAt(affinity, 'nodeAffinity'), `${path}.nodeAffinity`),
    ...['podAffinity', 'podAntiAffinity'].flatMap((name) =>
      validatePodAffinity(objectAt(affinity, name), `${path}.${name}`),
    ),
  ];
}

function validateNodeAffinity(affinity: JsonObject, path: string): readonly FieldError[] {
  const terms = itemsAt(affinity, REQUIRED, 'nodeSelectorTerms');
  const place = `${path}.${REQUIRED}.nodeSelectorTerms`;
  const isEmpty = isGivenAt(affinity, REQUIRED) && terms.length === 0;
  return [
    ...(isEmpty ? [required(place, 'must have at least one node selector term')] : []),
    ...terms.flatMap((term, index) => validateNodeTerm(term, `${place}[${index}]`)),
    ...itemsAt(affinity, PREFERRED).flatMap((term, index) => {
      const at = `${path}.${PREFERRED}[${index}]`;
      return [...validateWeight(term, at), ...validateNodeTerm(objectAt(term, 'preference'), `${at}.preference`)];
    }),
  ];
}

function validateNodeTerm(term: JsonObject, path: string): readonly FieldError[] {
  return itemsAt(term, 'matchExpressions').flatMap((part, index) =>
    validateNodeRequirement(part, `${path}.matchExpressions[${index}]`),
  );
}

function validateNodeRequirement(part: JsonObject, path: string): readonly FieldError[] {
  const key = textAt(part, 'key');
  const names = checkQualifiedName(key).map((problem) => invalid(`${path}.key`, key, problem));
  return [...validateOperator(part, path), ...names];
}

function validateOperator(part: JsonObject, path: string): readonly FieldError[] {
  const operator = textAt(part, 'operator');
  const { length } = textsAt(part, 'values');
  const place = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return length > 0 ? [] : [required(place, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return length === 0
        ? []
        : [forbidden(place, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return length === 1 ? [] : [required(place, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

function validatePodAffinity(affinity: JsonObject, path: string): readonly FieldError[] {
  return [
    ...itemsAt(affinity, REQUIRED).flatMap((term, index) => validatePodTerm(term, `${path}.${REQUIRED}[${index}]`)),
    ...itemsAt(affinity, PREFERRED).flatMap((term, index) => {
      const at = `${path}.${PREFERRED}[${index}]`;
      return [
        ...validateWeight(term, at),
        ...validatePodTerm(objectAt(term, 'podAffinityTerm'), `${at}.podAffinityTerm`),
      ];
    }),
  ];
}

function validatePodTerm(term: JsonObject, path: string): readonly FieldError[] {
  const topologyKey = textAt(term, 'topologyKey');
  const place = `${path}.topologyKey`;
  return [
    ...validateLabelSelector(term['labelSelector'], `${path}.labelSelector`),
    ...validateLabelSelector(term['namespaceSelector'], `${path}.namespaceSelector`),
    ...validateLabelKeys(term, path),
    ...(topologyKey === '' ? [required(place, 'can not be empty')] : []),
    ...checkQualifiedName(topologyKey).map((problem) => invalid(place, topologyKey, problem)),
  ];
}

function validateWeight(term: JsonObject, path: string): readonly FieldError[] {
  const weight = numberAt(term, 'weight');
  return weight >= 1 && weight <= MOST_WEIGHT ? [] : [invalid(`${path}.weight`, weight, 'must be in the range 1-100')];
}
