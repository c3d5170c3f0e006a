import { isSameJson, type JsonObject } from '@smalt/json';
import { invalid, notSupported, required, type FieldError } from '@smalt/resource';
import { checkPathSegmentName, type NameRule } from '@smalt/kubernetes';

import { roleBindingColumns } from '../columns/access-columns.ts';
import { defaultRoleBinding } from '../defaults/default-role-binding.ts';
import { isGivenAt, itemsAt, objectAt, textAt, textsAt } from '../read-path.ts';
import { validateLabelSelector } from '../validation/label-selector.ts';
import type { KindRules } from './kind-rules.ts';

const RBAC = 'rbac.authorization.k8s.io';
const nameRule: NameRule = checkPathSegmentName;

export const roleRules: KindRules = {
  nameRule,
  validate: (role) => itemsAt(role, 'rules').flatMap((rule, index) => validateRule(rule, `rules[${index}]`, true)),
};

export const clusterRoleRules: KindRules = {
  nameRule,
  validate: (role) => [
    ...itemsAt(role, 'rules').flatMap((rule, index) => validateRule(rule, `rules[${index}]`, false)),
    ...validateAggregation(role),
  ],
};

export const roleBindingRules: KindRules = bindingRules(['Role', 'ClusterRole'], true);
export const clusterRoleBindingRules: KindRules = bindingRules(['ClusterRole'], false);

function bindingRules(kinds: readonly string[], isNamespaced: boolean): KindRules {
  return {
    nameRule,
    columns: roleBindingColumns,
    default: defaultRoleBinding,
    validate: (binding) => [
      ...validateRoleRef(objectAt(binding, 'roleRef'), kinds),
      ...itemsAt(binding, 'subjects').flatMap((subject, index) =>
        validateSubject(subject, `subjects[${index}]`, isNamespaced),
      ),
    ],
    validateUpdate: (binding, old) =>
      isSameJson(binding['roleRef'], old['roleRef'])
        ? []
        : [invalid('roleRef', goRoleRef(objectAt(binding, 'roleRef')), 'cannot change roleRef')],
  };
}

// An error shows the reference with the names that its fields have inside of Kubernetes.
function goRoleRef(reference: JsonObject): JsonObject {
  const { apiGroup = '', kind = '', name = '' } = reference;
  return { APIGroup: apiGroup, Kind: kind, Name: name };
}

function validateRule(rule: JsonObject, path: string, isNamespaced: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  const has = (name: string): boolean => textsAt(rule, name).length > 0;
  if (!has('verbs')) errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'));
  const urls = textsAt(rule, 'nonResourceURLs');
  if (urls.length > 0) {
    const field = `${path}.nonResourceURLs`;
    if (isNamespaced) errors.push(invalid(field, urls, 'namespaced rules cannot apply to non-resource URLs'));
    if (has('apiGroups') || has('resources') || has('resourceNames')) {
      errors.push(invalid(field, urls, 'rules cannot apply to both regular resources and non-resource URLs'));
    }
    return errors;
  }
  if (!has('apiGroups'))
    errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  if (!has('resources')) errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
  return errors;
}

function validateAggregation(role: JsonObject): readonly FieldError[] {
  if (!isGivenAt(role, 'aggregationRule')) return [];
  const field = 'aggregationRule.clusterRoleSelectors';
  const selectors = itemsAt(role, 'aggregationRule', 'clusterRoleSelectors');
  if (selectors.length === 0) {
    return [required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  }
  return selectors.flatMap((selector, index) => validateLabelSelector(selector, `${field}[${index}]`));
}

function validateRoleRef(reference: JsonObject, kinds: readonly string[]): readonly FieldError[] {
  const errors: FieldError[] = [];
  const group = textAt(reference, 'apiGroup');
  const kind = textAt(reference, 'kind');
  const name = textAt(reference, 'name');
  if (group !== RBAC) errors.push(notSupported('roleRef.apiGroup', group, [RBAC]));
  if (!kinds.includes(kind)) errors.push(notSupported('roleRef.kind', kind, kinds));
  if (name === '') errors.push(required('roleRef.name'));
  else errors.push(...nameRule(name).map((problem) => invalid('roleRef.name', name, problem)));
  return errors;
}

function validateSubject(subject: JsonObject, path: string, isNamespaced: boolean): readonly FieldError[] {
  const errors: FieldError[] = [];
  const kind = textAt(subject, 'kind');
  const group = textAt(subject, 'apiGroup');
  if (textAt(subject, 'name') === '') errors.push(required(`${path}.name`));
  if (kind === 'ServiceAccount') {
    if (group !== '') errors.push(notSupported(`${path}.apiGroup`, group, ['']));
    if (!isNamespaced && textAt(subject, 'namespace') === '') errors.push(required(`${path}.namespace`));
  } else if (kind === 'User' || kind === 'Group') {
    if (group !== RBAC) errors.push(notSupported(`${path}.apiGroup`, group, [RBAC]));
  } else errors.push(notSupported(`${path}.kind`, kind, ['ServiceAccount', 'User', 'Group']));
  return errors;
}
