import type { JsonObject } from '@smalt/json';
import { duplicate, invalid, notSupported, required, type FieldError } from '@smalt/resource';

import { isGivenAt, numberAt, textAt } from '../read-path.ts';
import { validateLabelSelector } from './label-selector.ts';
import { validateLabelKeys } from './validate-label-keys.ts';

const DO_NOT_SCHEDULE = 'DoNotSchedule';
const ACTIONS = [DO_NOT_SCHEDULE, 'ScheduleAnyway'];
const POLICIES = ['Honor', 'Ignore'];
const NOT_POSITIVE = 'must be greater than zero';

/** What is wrong with how a pod wants to be spread with others of its kind. */
export function validateTopologySpread(constraints: readonly JsonObject[], path: string): readonly FieldError[] {
  return constraints.flatMap((constraint, index) => {
    const place = `${path}[${index}]`;
    const maxSkew = numberAt(constraint, 'maxSkew');
    const action = textAt(constraint, 'whenUnsatisfiable');
    return [
      ...(maxSkew > 0 ? [] : [invalid(`${place}.maxSkew`, maxSkew, NOT_POSITIVE)]),
      ...(textAt(constraint, 'topologyKey') === '' ? [required(`${place}.topologyKey`, 'can not be empty')] : []),
      ...(ACTIONS.includes(action) ? [] : [notSupported(`${place}.whenUnsatisfiable`, action, ACTIONS)]),
      ...validateOnlyOne(constraint, constraints.slice(index + 1), place),
      ...validateMinDomains(constraint, action, place),
      ...['nodeAffinityPolicy', 'nodeTaintsPolicy'].flatMap((name) => validatePolicy(constraint, name, place)),
      ...validateLabelKeys(constraint, place),
      ...validateLabelSelector(constraint['labelSelector'], `${place}.labelSelector`),
    ];
  });
}

function validateOnlyOne(constraint: JsonObject, later: readonly JsonObject[], path: string): readonly FieldError[] {
  const kind = kindOf(constraint);
  return later.some((other) => kindOf(other) === kind)
    ? [duplicate(`${path}.{topologyKey, whenUnsatisfiable}`, kind)]
    : [];
}

function kindOf(constraint: JsonObject): string {
  return `{${textAt(constraint, 'topologyKey')}, ${textAt(constraint, 'whenUnsatisfiable')}}`;
}

function validateMinDomains(constraint: JsonObject, action: string, path: string): readonly FieldError[] {
  if (!isGivenAt(constraint, 'minDomains')) return [];
  const place = `${path}.minDomains`;
  const count = numberAt(constraint, 'minDomains');
  const only = `can only use minDomains if whenUnsatisfiable=${DO_NOT_SCHEDULE}, not ${action}`;
  return [
    ...(count > 0 ? [] : [invalid(place, count, NOT_POSITIVE)]),
    ...(action === DO_NOT_SCHEDULE ? [] : [invalid(place, count, only)]),
  ];
}

function validatePolicy(constraint: JsonObject, name: string, path: string): readonly FieldError[] {
  const policy = textAt(constraint, name);
  return !isGivenAt(constraint, name) || POLICIES.includes(policy)
    ? []
    : [notSupported(`${path}.${name}`, policy, POLICIES)];
}
