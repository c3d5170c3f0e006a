import { checkLabelValue, checkQualifiedName } from '@smalt/kubernetes';
import { forbidden, invalid, required, type FieldError } from '@smalt/resource';
import type { LabelSelector, LabelSelectorRequirement } from '@smalt/vm-api';

/** What is wrong with a label selector, by the rules of Kubernetes. */
export function validateLabelSelector(selector: LabelSelector | undefined, path: string): readonly FieldError[] {
  const labels = Object.entries(selector?.matchLabels ?? {});
  return [
    ...labels.flatMap(([name, value]) => [
      ...checkQualifiedName(name).map((problem) => invalid(`${path}.matchLabels`, name, problem)),
      ...checkLabelValue(value).map((problem) => invalid(`${path}.matchLabels`, value, problem)),
    ]),
    ...(selector?.matchExpressions ?? []).flatMap((requirement, index) =>
      validateRequirement(requirement, `${path}.matchExpressions[${index}]`),
    ),
  ];
}

/** What is wrong with the name of a label. */
export function validateLabelName(name: string, field: string): readonly FieldError[] {
  return checkQualifiedName(name).map((problem) => invalid(field, name, problem));
}

function validateRequirement(requirement: LabelSelectorRequirement, path: string): readonly FieldError[] {
  const { key, operator, values = [] } = requirement;
  return [
    ...validateOperator(operator, values, path),
    ...validateLabelName(key, `${path}.key`),
    ...values.flatMap((value, index) =>
      checkLabelValue(value).map((problem) => invalid(`${path}.values[${index}]`, value, problem)),
    ),
  ];
}

function validateOperator(operator: string, values: readonly string[], path: string): readonly FieldError[] {
  const field = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0 ? [] : [required(field, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbidden(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}
