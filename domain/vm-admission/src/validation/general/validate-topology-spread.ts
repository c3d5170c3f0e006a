import { duplicate, invalid, notSupported, required, type FieldError } from '@smalt/resource';
import type { TopologySpreadConstraint } from '@smalt/vm-api';

import type { Cause } from '../../cause.ts';
import type { SpecScope } from '../spec-rule.ts';
import { fieldErrorCause } from './field-error-cause.ts';
import { validateLabelName, validateLabelSelector } from './validate-label-selector.ts';

const ACTIONS: readonly string[] = ['DoNotSchedule', 'ScheduleAnyway'];

/** The rules of Kubernetes for spreading pods, told before the pod is made and would be refused. */
export function validateTopologySpread({ path, spec }: SpecScope): readonly Cause[] {
  const { topologySpreadConstraints: constraints = [] } = spec;
  const errors = constraints.flatMap((constraint, index) => [
    ...validateConstraint(constraint, `${path}.topologySpreadConstraints[${index}]`),
    ...validateNotRepeated(constraint, constraints.slice(index + 1), `${path}.topologySpreadConstraints[${index}]`),
  ]);
  return errors.map(fieldErrorCause);
}

function validateConstraint(constraint: TopologySpreadConstraint, path: string): readonly FieldError[] {
  const { maxSkew, topologyKey, whenUnsatisfiable } = constraint;
  return [
    ...(maxSkew > 0 ? [] : [invalid(`${path}.maxSkew`, maxSkew, 'must be greater than zero')]),
    ...(topologyKey === ''
      ? [required(`${path}.topologyKey`, 'can not be empty')]
      : validateLabelName(topologyKey, `${path}.topologyKey`)),
    ...(ACTIONS.includes(whenUnsatisfiable)
      ? []
      : [notSupported(`${path}.whenUnsatisfiable`, whenUnsatisfiable, ACTIONS)]),
    ...validateLabelSelector(constraint.labelSelector, `${path}.labelSelector`),
  ];
}

function validateNotRepeated(
  { topologyKey, whenUnsatisfiable }: TopologySpreadConstraint,
  others: readonly TopologySpreadConstraint[],
  path: string,
): readonly FieldError[] {
  const isRepeated = others.some(
    (other) => other.topologyKey === topologyKey && other.whenUnsatisfiable === whenUnsatisfiable,
  );
  if (!isRepeated) return [];
  return [duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, `{${topologyKey}, ${whenUnsatisfiable}}`)];
}
