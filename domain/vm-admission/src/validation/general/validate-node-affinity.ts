import { checkDns1123Subdomain } from '@smalt/kubernetes';
import { forbidden, invalid, required, type FieldError } from '@smalt/resource';
import type { NodeAffinity, NodeSelectorRequirement, NodeSelectorTerm } from '@smalt/vm-api';

import { validateLabelName } from './validate-label-selector.ts';

/** What is wrong with rules about the node, by the rules of Kubernetes. */
export function validateNodeAffinity(affinity: NodeAffinity, path: string): readonly FieldError[] {
  const wanted = affinity.requiredDuringSchedulingIgnoredDuringExecution;
  const preferred = affinity.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  return [
    ...(wanted === undefined
      ? []
      : validateTerms(wanted.nodeSelectorTerms ?? [], `${path}.requiredDuringSchedulingIgnoredDuringExecution`)),
    ...preferred.flatMap(({ weight, preference }, index) => {
      const place = `${path}.preferredDuringSchedulingIgnoredDuringExecution[${index}]`;
      return [...validateWeight(weight, place), ...validateTerm(preference, `${place}.preference`)];
    }),
  ];
}

/** A weight is between 1 and 100. */
export function validateWeight(weight: number, path: string): readonly FieldError[] {
  return weight > 0 && weight <= 100 ? [] : [invalid(`${path}.weight`, weight, 'must be in the range 1-100')];
}

function validateTerms(terms: readonly NodeSelectorTerm[], path: string): readonly FieldError[] {
  const field = `${path}.nodeSelectorTerms`;
  if (terms.length === 0) return [required(field, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => validateTerm(term, `${field}[${index}]`));
}

function validateTerm(term: NodeSelectorTerm, path: string): readonly FieldError[] {
  return [
    ...(term.matchExpressions ?? []).flatMap((requirement, index) =>
      validateExpression(requirement, `${path}.matchExpressions[${index}]`),
    ),
    ...(term.matchFields ?? []).flatMap((requirement, index) =>
      validateField(requirement, `${path}.matchFields[${index}]`),
    ),
  ];
}

function validateExpression(requirement: NodeSelectorRequirement, path: string): readonly FieldError[] {
  return [...validateOperator(requirement, path), ...validateLabelName(requirement.key, `${path}.key`)];
}

function validateOperator({ operator, values = [] }: NodeSelectorRequirement, path: string): readonly FieldError[] {
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
    case 'Gt':
    case 'Lt':
      return values.length === 1
        ? []
        : [required(field, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

// Nodes can be chosen by one field only, and that is their name.
function validateField({ key, operator, values = [] }: NodeSelectorRequirement, path: string): readonly FieldError[] {
  const isKnownOperator = operator === 'In' || operator === 'NotIn';
  const oneValue = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
  return [
    ...(isKnownOperator && values.length !== 1 ? [required(`${path}.values`, oneValue)] : []),
    ...(isKnownOperator ? [] : [invalid(`${path}.operator`, operator, 'not a valid selector operator')]),
    ...(key === 'metadata.name'
      ? values.flatMap((value, index) =>
          checkDns1123Subdomain(value).map((problem) => invalid(`${path}.values[${index}]`, value, problem)),
        )
      : [invalid(`${path}.key`, key, 'not a valid field selector key')]),
  ];
}
