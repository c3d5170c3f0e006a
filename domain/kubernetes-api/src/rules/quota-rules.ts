import type { JsonObject } from '@smalt/json';
import { compareQuantities, parseQuantity } from '@smalt/quantity';
import { invalid, required, type FieldError } from '@smalt/resource';
import { checkQualifiedName } from '@smalt/kubernetes';

import { createdAtColumn } from '../columns/age-column.ts';
import { resourceQuotaColumns } from '../columns/core-columns.ts';
import { fillIn, withChild, withItems } from '../edit-object.ts';
import { isGivenAt, itemsAt, objectAt, textAt } from '../read-path.ts';
import { checkUnchanged } from '../validation/check-field.ts';
import { quantitiesOf, validateQuantity } from '../validation/validate-resources.ts';
import type { KindRules } from './kind-rules.ts';

const COUNTED = [
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
];

export const resourceQuotaRules: KindRules = {
  columns: resourceQuotaColumns,
  validate: (quota) =>
    quantitiesOf(objectAt(quota, 'spec', 'hard')).flatMap(([name, text]) => [
      ...validateQuotaName(name, `spec.hard[${name}]`),
      ...validateQuantity(name, text, `spec.hard[${name}]`),
    ]),
  validateUpdate: (quota, old) => checkUnchanged(quota, old, 'spec', 'scopes'),
};

export const limitRangeRules: KindRules = {
  columns: [createdAtColumn],
  default: (object) => withChild(object, 'spec', (spec) => withItems(spec, 'limits', defaultLimit)),
  validate: (object) =>
    itemsAt(object, 'spec', 'limits').flatMap((limit, index) => validateLimit(limit, `spec.limits[${index}]`)),
};

function validateQuotaName(name: string, field: string): readonly FieldError[] {
  const problems = checkQualifiedName(name).map((problem) => invalid(field, name, problem));
  const isKnown = name.includes('/') || COUNTED.includes(name) || /^(requests\.)?hugepages-/.test(name);
  return isKnown ? problems : [...problems, invalid(field, name, 'must be a standard resource for quota')];
}

// Within a limit one bound stands in for the next: the largest for the default, the default for what is asked for.
function defaultLimit(limit: JsonObject): JsonObject {
  if (textAt(limit, 'type') !== 'Container') return limit;
  const withDefault = isGivenAt(limit, 'max') ? merge(limit, 'default', objectAt(limit, 'max')) : limit;
  const withRequest = isGivenAt(withDefault, 'default')
    ? merge(withDefault, 'defaultRequest', objectAt(withDefault, 'default'))
    : withDefault;
  return isGivenAt(withRequest, 'min')
    ? merge(withRequest, 'defaultRequest', objectAt(withRequest, 'min'))
    : withRequest;
}

function merge(limit: JsonObject, name: string, values: JsonObject): JsonObject {
  return withChild(fillIn(limit, { [name]: {} }), name, (map) => fillIn(map, values));
}

function validateLimit(limit: JsonObject, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (textAt(limit, 'type') === '') errors.push(required(`${path}.type`));
  const max = objectAt(limit, 'max');
  for (const [name, text] of quantitiesOf(objectAt(limit, 'min'))) {
    const limitText = textAt(max, name);
    if (limitText !== '' && compareQuantities(parseQuantity(text), parseQuantity(limitText)) > 0) {
      errors.push(invalid(`${path}.min[${name}]`, text, `min value ${text} is greater than max value ${limitText}`));
    }
  }
  return errors;
}
