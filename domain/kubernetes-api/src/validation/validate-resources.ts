import type { JsonObject } from '@smalt/json';
import { compareQuantities, isIntegerQuantity, parseQuantity, quantitySign } from '@smalt/quantity';
import { invalid, type FieldError } from '@smalt/resource';
import { checkQualifiedName } from '@smalt/kubernetes';

import { objectAt } from '../read-path.ts';

const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage']);
const WHOLE = new Set([
  'pods',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
]);

/** What is wrong with what a container asks for and is limited to. */
export function validateResources(resources: JsonObject, path: string): readonly FieldError[] {
  const limits = objectAt(resources, 'limits');
  return [
    ...quantitiesOf(limits).flatMap(([name, text]) => validateContainerResource(name, text, `${path}.limits`)),
    ...quantitiesOf(objectAt(resources, 'requests')).flatMap(([name, text]) => [
      ...validateContainerResource(name, text, `${path}.requests`),
      ...validateRequest(name, text, limits, `${path}.requests`),
    ]),
  ];
}

/** What is wrong with a quantity on its own: below zero, or broken where only whole ones make sense. */
export function validateQuantity(name: string, text: string, field: string): readonly FieldError[] {
  const quantity = parseQuantity(text);
  const errors: FieldError[] = [];
  if (quantitySign(quantity) < 0) errors.push(invalid(field, text, 'must be greater than or equal to 0'));
  if (isCounted(name) && !isIntegerQuantity(quantity)) errors.push(invalid(field, text, 'must be an integer'));
  return errors;
}

/** The texts of the quantities in a map. */
export function quantitiesOf(map: JsonObject): readonly (readonly [string, string])[] {
  return Object.entries(map).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as const] : []));
}

function validateContainerResource(name: string, text: string, path: string): readonly FieldError[] {
  const problems = checkQualifiedName(name).map((problem) => invalid(path, name, problem));
  if (!name.includes('/') && !STANDARD.has(name) && !name.startsWith('hugepages-')) {
    problems.push(invalid(path, name, 'must be a standard resource type or fully qualified'));
    problems.push(invalid(path, name, 'must be a standard resource for containers'));
  }
  return [...problems, ...validateQuantity(name, text, `${path}[${name}]`)];
}

function validateRequest(name: string, text: string, limits: JsonObject, path: string): readonly FieldError[] {
  const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
  if (typeof limit !== 'string') return [];
  const difference = compareQuantities(parseQuantity(text), parseQuantity(limit));
  if (difference !== 0 && !mayOvercommit(name)) {
    return [invalid(path, text, `must be equal to ${name} limit of ${limit}`)];
  }
  return difference > 0 ? [invalid(path, text, `must be less than or equal to ${name} limit of ${limit}`)] : [];
}

function mayOvercommit(name: string): boolean {
  const isNative = !name.includes('/') || name.includes('kubernetes.io/');
  return isNative && !name.startsWith('hugepages-');
}

function isCounted(name: string): boolean {
  return WHOLE.has(name) || name.startsWith('count/') || (name.includes('/') && !name.startsWith('requests.'));
}
