import type { JsonObject } from '@smalt/json';
import { invalid, notSupported, required, type FieldError } from '@smalt/resource';
import { checkDns1123Subdomain } from '@smalt/kubernetes';

import { ingressClassColumns, ingressColumns, networkPolicyColumns } from '../columns/service-columns.ts';
import { defaultIngressClass, defaultNetworkPolicy } from '../defaults/default-network.ts';
import { isGivenAt, itemsAt, numberAt, objectAt, textAt, textsAt } from '../read-path.ts';
import { checkUnchanged } from '../validation/check-field.ts';
import { validateLabelSelector } from '../validation/label-selector.ts';
import type { KindRules } from './kind-rules.ts';

const PATH_TYPES = ['Exact', 'ImplementationSpecific', 'Prefix'];

export const ingressRules: KindRules = {
  columns: ingressColumns,
  validate: (ingress) => {
    const spec = objectAt(ingress, 'spec');
    const rules = itemsAt(spec, 'rules');
    const hasNothing = rules.length === 0 && !isGivenAt(spec, 'defaultBackend');
    return [
      ...(hasNothing ? [invalid('spec', '<omitted>', 'either `defaultBackend` or `rules` must be specified')] : []),
      ...(isGivenAt(spec, 'defaultBackend')
        ? validateBackend(objectAt(spec, 'defaultBackend'), 'spec.defaultBackend')
        : []),
      ...rules.flatMap((rule, index) => validateRule(rule, `spec.rules[${index}]`)),
    ];
  },
};

export const ingressClassRules: KindRules = {
  columns: ingressClassColumns,
  default: defaultIngressClass,
  validate: (object) => (textAt(object, 'spec', 'controller') === '' ? [required('spec.controller')] : []),
  validateUpdate: (object, old) => checkUnchanged(object, old, 'spec', 'controller'),
};

export const networkPolicyRules: KindRules = {
  columns: networkPolicyColumns,
  default: defaultNetworkPolicy,
  validate: (policy) => [
    ...validateLabelSelector(objectAt(policy, 'spec', 'podSelector'), 'spec.podSelector'),
    ...textsAt(policy, 'spec', 'policyTypes').flatMap((word, index) =>
      ['Egress', 'Ingress'].includes(word)
        ? []
        : [notSupported(`spec.policyTypes[${index}]`, word, ['Egress', 'Ingress'])],
    ),
  ],
};

function validateRule(rule: JsonObject, path: string): readonly FieldError[] {
  const host = textAt(rule, 'host');
  const plain = host.startsWith('*.') ? host.slice(2) : host;
  return [
    ...(host === '' ? [] : checkDns1123Subdomain(plain).map((problem) => invalid(`${path}.host`, host, problem))),
    ...(isGivenAt(rule, 'http') && itemsAt(rule, 'http', 'paths').length === 0 ? [required(`${path}.http.paths`)] : []),
    ...itemsAt(rule, 'http', 'paths').flatMap((part, index) => validatePath(part, `${path}.http.paths[${index}]`)),
  ];
}

function validatePath(part: JsonObject, path: string): readonly FieldError[] {
  const type = textAt(part, 'pathType');
  const text = textAt(part, 'path');
  const errors: FieldError[] = [];
  if (type === '') errors.push(required(`${path}.pathType`, 'pathType must be specified'));
  else if (!PATH_TYPES.includes(type)) errors.push(notSupported(`${path}.pathType`, type, PATH_TYPES));
  else if (!text.startsWith('/') && (type !== 'ImplementationSpecific' || text !== '')) {
    errors.push(invalid(`${path}.path`, text, 'must be an absolute path'));
  }
  return [...errors, ...validateBackend(objectAt(part, 'backend'), `${path}.backend`)];
}

function validateBackend(backend: JsonObject, path: string): readonly FieldError[] {
  const hasResource = isGivenAt(backend, 'resource');
  if (hasResource && isGivenAt(backend, 'service')) {
    return [invalid(path, '', 'cannot set both resource and service backends')];
  }
  if (hasResource) return [];
  if (!isGivenAt(backend, 'service')) return [required(path)];
  const errors: FieldError[] = [];
  if (textAt(backend, 'service', 'name') === '') errors.push(required(`${path}.service.name`));
  const number = numberAt(backend, 'service', 'port', 'number');
  if (number === 0 && textAt(backend, 'service', 'port', 'name') === '') {
    errors.push(required(path, 'port name or number is required'));
  }
  return errors;
}
