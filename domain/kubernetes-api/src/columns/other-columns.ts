import type { JsonObject } from '@smalt/json';
import type { Column } from '@smalt/resource';

import { isGivenAt, isTrueAt, itemsAt, numberAt, objectAt, textAt, textOf, valueAt } from '../read-path.ts';
import { ageColumn } from './age-column.ts';
import { booleanColumn, column, integerColumn } from './make-column.ts';

export const podDisruptionBudgetColumns: readonly Column[] = [
  column('Min Available', 'How many pods must stay.', (budget) => amountOf(budget, 'minAvailable')),
  column('Max Unavailable', 'How many pods may be away.', (budget) => amountOf(budget, 'maxUnavailable')),
  integerColumn('Allowed Disruptions', 'How many pods may be taken away now.', (budget) =>
    numberAt(budget, 'status', 'disruptionsAllowed'),
  ),
  ageColumn,
];

export const leaseColumns: readonly Column[] = [
  column('Holder', 'Who holds it.', (lease) => textAt(lease, 'spec', 'holderIdentity')),
  ageColumn,
];

export const priorityClassColumns: readonly Column[] = [
  integerColumn('Value', 'The priority.', (object) => numberAt(object, 'value')),
  booleanColumn('Global-Default', 'Whether pods without a class get this one.', (object) =>
    isTrueAt(object, 'globalDefault'),
  ),
  ageColumn,
  column('PreemptionPolicy', 'Whether others have to give way.', (object) => textAt(object, 'preemptionPolicy')),
];

export const webhookConfigurationColumns: readonly Column[] = [
  integerColumn('Webhooks', 'How many webhooks there are.', (object) => itemsAt(object, 'webhooks').length),
  ageColumn,
];

export const admissionPolicyColumns: readonly Column[] = [
  integerColumn('Validations', 'How many rules there are.', (object) => itemsAt(object, 'spec', 'validations').length),
  column('ParamKind', 'The kind of its parameters.', (object) => {
    const kind = objectAt(object, 'spec', 'paramKind');
    return isGivenAt(object, 'spec', 'paramKind') ? `${textAt(kind, 'apiVersion')}/${textAt(kind, 'kind')}` : '<unset>';
  }),
  ageColumn,
];

export const admissionPolicyBindingColumns: readonly Column[] = [
  column('PolicyName', 'The policy that applies.', (object) => textAt(object, 'spec', 'policyName')),
  column('ParamRef', 'Its parameters.', (object) => {
    if (!isGivenAt(object, 'spec', 'paramRef')) return '<unset>';
    const { namespace, name } = {
      namespace: textAt(object, 'spec', 'paramRef', 'namespace'),
      name: textAt(object, 'spec', 'paramRef', 'name'),
    };
    return namespace === '' ? name || '*/*' : `${namespace}/${name}`;
  }),
  ageColumn,
];

export const apiServiceColumns: readonly Column[] = [
  column('Service', 'Who answers.', (object) =>
    isGivenAt(object, 'spec', 'service')
      ? `${textAt(object, 'spec', 'service', 'namespace')}/${textAt(object, 'spec', 'service', 'name')}`
      : 'Local',
  ),
  column('Available', 'Whether it can be reached.', (object) => {
    const condition = itemsAt(object, 'status', 'conditions').find((part) => textAt(part, 'type') === 'Available');
    if (condition === undefined) return 'Unknown';
    const status = textAt(condition, 'status');
    return status === 'True' ? status : `${status} (${textAt(condition, 'reason')})`;
  }),
  ageColumn,
];

export const runtimeClassColumns: readonly Column[] = [
  column('Handler', 'What runs the containers.', (object) => textAt(object, 'handler')),
  ageColumn,
];

function amountOf(budget: JsonObject, name: string): string {
  const value = valueAt(budget, 'spec', name);
  return value === undefined || value === null ? 'N/A' : textOf(value);
}
