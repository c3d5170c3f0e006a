import type { JsonObject } from '@smalt/json';
import { forbidden, invalid, notSupported, required, type FieldError } from '@smalt/resource';
import { checkDns1035Label, checkDns1123Label, checkDns1123Subdomain, checkPathSegmentName } from '@smalt/kubernetes';

import {
  apiServiceColumns,
  leaseColumns,
  podDisruptionBudgetColumns,
  priorityClassColumns,
  runtimeClassColumns,
} from '../columns/other-columns.ts';
import { defaultServiceReference } from '../defaults/default-admission.ts';
import { fillIn, withChild } from '../edit-object.ts';
import { isGivenAt, isTrueAt, numberAt, objectAt, textAt, valueAt } from '../read-path.ts';
import { checkNotNegative, checkUnchanged, isSameAt } from '../validation/check-field.ts';
import { validateLabelSelector } from '../validation/label-selector.ts';
import { validateServiceReference } from '../validation/validate-webhook-client.ts';
import { validateAtMostAll, validateIntOrPercent } from '../validation/validate-workload.ts';
import type { KindRules } from './kind-rules.ts';

const MAX_USER_PRIORITY = 1_000_000_000;
const SYSTEM_PRIORITIES: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);
const EVICTION_POLICIES = ['AlwaysAllow', 'IfHealthyBudget'];
const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

export const podDisruptionBudgetRules: KindRules = {
  columns: podDisruptionBudgetColumns,
  validate: (budget) => {
    const spec = objectAt(budget, 'spec');
    const policy = textAt(spec, 'unhealthyPodEvictionPolicy');
    const hasBoth = isGivenAt(spec, 'minAvailable') && isGivenAt(spec, 'maxUnavailable');
    return [
      ...(hasBoth ? [invalid('spec', spec, 'minAvailable and maxUnavailable cannot be both set')] : []),
      ...['minAvailable', 'maxUnavailable'].flatMap((name) => [
        ...validateIntOrPercent(valueAt(spec, name), `spec.${name}`),
        ...validateAtMostAll(valueAt(spec, name), `spec.${name}`),
      ]),
      ...validateLabelSelector(spec['selector'], 'spec.selector'),
      ...(policy === '' || EVICTION_POLICIES.includes(policy)
        ? []
        : [notSupported('spec.unhealthyPodEvictionPolicy', policy, EVICTION_POLICIES)]),
    ];
  },
};

export const leaseRules: KindRules = {
  columns: leaseColumns,
  validate: (lease) => {
    const spec = objectAt(lease, 'spec');
    const seconds = numberAt(spec, 'leaseDurationSeconds');
    const errors: FieldError[] = [];
    if (isGivenAt(spec, 'leaseDurationSeconds') && seconds <= 0) {
      errors.push(invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0'));
    }
    errors.push(...checkNotNegative(spec, ['leaseTransitions'], 'spec'));
    if (textAt(spec, 'preferredHolder') !== '' && textAt(spec, 'strategy') === '') {
      errors.push(forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined'));
    }
    return errors;
  },
};

export const priorityClassRules: KindRules = {
  columns: priorityClassColumns,
  default: (object) => fillIn(object, { preemptionPolicy: 'PreemptLowerPriority' }),
  validate: (object) => {
    const name = textAt(object, 'metadata', 'name');
    const value = numberAt(object, 'value');
    if (name.startsWith('system-')) return validateSystemPriority(object, name, value);
    return value > MAX_USER_PRIORITY
      ? [forbidden('value', `maximum allowed value of a user defined priority is ${MAX_USER_PRIORITY}`)]
      : [];
  },
  validateUpdate: (object, old) => [
    ...(isSameAt(object, old, 'value') ? [] : [forbidden('value', 'may not be changed in an update.')]),
    ...checkUnchanged(object, old, 'preemptionPolicy'),
  ],
};

export const apiServiceRules: KindRules = {
  columns: apiServiceColumns,
  nameRule: checkPathSegmentName,
  default: (object) => withChild(object, 'spec', (spec) => withChild(spec, 'service', defaultServiceReference)),
  validate: (object) => {
    const spec = objectAt(object, 'spec');
    const name = textAt(object, 'metadata', 'name');
    const wanted = `${textAt(spec, 'version')}.${textAt(spec, 'group')}`;
    return [
      ...(name === wanted
        ? []
        : [invalid('metadata.name', name, `must be \`spec.version+"."+spec.group\`: "${wanted}"`)]),
      ...validateApiVersion(spec),
      ...(isGivenAt(spec, 'service')
        ? validateServiceReference(objectAt(spec, 'service'), 'spec.service')
        : validateLocal(spec)),
      ...(isTrueAt(spec, 'insecureSkipTLSVerify') && textAt(spec, 'caBundle') !== ''
        ? [invalid('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present')]
        : []),
    ];
  },
};

export const runtimeClassRules: KindRules = {
  columns: runtimeClassColumns,
  validate: (object) => {
    const handler = textAt(object, 'handler');
    return handler === ''
      ? [required('handler')]
      : checkDns1123Label(handler).map((problem) => invalid('handler', handler, problem));
  },
  validateUpdate: (object, old) => checkUnchanged(object, old, 'handler'),
};

export const tokenRequestRules: KindRules = {
  default: (request) => withChild(request, 'spec', (spec) => fillIn(spec, { expirationSeconds: 3600 })),
  validate: (request) => {
    const seconds = numberAt(request, 'spec', 'expirationSeconds');
    const field = 'spec.expirationSeconds';
    if (seconds < MIN_TOKEN_SECONDS)
      return [invalid(field, seconds, 'may not specify a duration less than 10 minutes')];
    return seconds > MAX_TOKEN_SECONDS
      ? [invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
      : [];
  },
};

export const bindingRules: KindRules = {
  validate: (binding) => {
    const kind = textAt(binding, 'target', 'kind');
    return [
      ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
      ...(textAt(binding, 'target', 'name') === '' ? [required('target.name')] : []),
    ];
  },
};

function validateSystemPriority(object: JsonObject, name: string, value: number): readonly FieldError[] {
  const known = SYSTEM_PRIORITIES.get(name);
  const prefix = "priority class names with 'system-' prefix are reserved for system use only. error: ";
  const problems: string[] = [];
  if (known === undefined) problems.push(`${name} is not a known system priority class`);
  else if (value !== known) problems.push(`value of ${name} PriorityClass must be ${known}`);
  else if (isTrueAt(object, 'globalDefault')) problems.push(`globalDefault of ${name} PriorityClass must be false`);
  return problems.map((problem) => forbidden('metadata.name', prefix + problem));
}

function validateApiVersion(spec: JsonObject): readonly FieldError[] {
  const group = textAt(spec, 'group');
  const version = textAt(spec, 'version');
  const errors: FieldError[] = [];
  if (group === '' && version !== 'v1') {
    errors.push(required('spec.group', 'only v1 may have an empty group and it better be legacy kube'));
  }
  if (group !== '') {
    errors.push(...checkDns1123Subdomain(group).map((problem) => invalid('spec.group', group, problem)));
  }
  errors.push(...checkDns1035Label(version).map((problem) => invalid('spec.version', version, problem)));
  errors.push(...validatePriority(spec, 'groupPriorityMinimum', 20_000));
  errors.push(...validatePriority(spec, 'versionPriority', 1000));
  return errors;
}

function validatePriority(spec: JsonObject, name: string, max: number): readonly FieldError[] {
  const value = numberAt(spec, name);
  return value > 0 && value <= max ? [] : [invalid(`spec.${name}`, value, `must be positive and less than ${max}`)];
}

function validateLocal(spec: JsonObject): readonly FieldError[] {
  const bytes = Buffer.byteLength(textAt(spec, 'caBundle'), 'base64');
  return [
    ...(bytes === 0 ? [] : [invalid('spec.caBundle', `${bytes} bytes`, 'local APIServices may not have a caBundle')]),
    ...(isTrueAt(spec, 'insecureSkipTLSVerify')
      ? [invalid('spec.insecureSkipTLSVerify', true, 'local APIServices may not have insecureSkipTLSVerify')]
      : []),
  ];
}
