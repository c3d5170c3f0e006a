import type { JsonObject } from '@smalt/json';
import { duplicate, invalid, notSupported, required, type FieldError } from '@smalt/resource';
import { checkDns1123Subdomain } from '@smalt/kubernetes';

import {
  admissionPolicyBindingColumns,
  admissionPolicyColumns,
  webhookConfigurationColumns,
} from '../columns/other-columns.ts';
import {
  defaultAdmissionPolicy,
  defaultAdmissionPolicyBinding,
  defaultMutatingWebhooks,
  defaultValidatingWebhooks,
} from '../defaults/default-admission.ts';
import { isGivenAt, itemsAt, numberAt, objectAt, textAt, textsAt } from '../read-path.ts';
import { checkWord } from '../validation/check-field.ts';
import { validateLabelSelector } from '../validation/label-selector.ts';
import { validateServiceReference, validateWebhookUrl } from '../validation/validate-webhook-client.ts';
import type { KindRules } from './kind-rules.ts';

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SIDE_EFFECTS = ['None', 'NoneOnDryRun'];
const REVIEW_VERSIONS = ['v1', 'v1beta1'];

export const validatingWebhookRules: KindRules = {
  columns: webhookConfigurationColumns,
  default: defaultValidatingWebhooks,
  validate: validateWebhooks,
};

export const mutatingWebhookRules: KindRules = {
  columns: webhookConfigurationColumns,
  default: defaultMutatingWebhooks,
  validate: (object) => [
    ...validateWebhooks(object),
    ...itemsAt(object, 'webhooks').flatMap((webhook, index) =>
      checkWord(webhook, 'reinvocationPolicy', `webhooks[${index}]`, ['IfNeeded', 'Never']),
    ),
  ],
};

export const admissionPolicyRules: KindRules = {
  columns: admissionPolicyColumns,
  default: defaultAdmissionPolicy,
  validate: (object) => {
    const spec = objectAt(object, 'spec');
    const errors: FieldError[] = [...checkWord(spec, 'failurePolicy', 'spec', ['Fail', 'Ignore'])];
    if (itemsAt(spec, 'validations').length + itemsAt(spec, 'auditAnnotations').length === 0) {
      const detail = 'validations or auditAnnotations must contain at least one item';
      errors.push(required('spec.validations', detail), required('spec.auditAnnotations', detail));
    }
    if (!isGivenAt(spec, 'matchConstraints')) errors.push(required('spec.matchConstraints'));
    else if (itemsAt(spec, 'matchConstraints', 'resourceRules').length === 0) {
      errors.push(required('spec.matchConstraints.resourceRules'));
    }
    itemsAt(spec, 'validations').forEach((rule, index) => {
      if (textAt(rule, 'expression').trim() === '') {
        errors.push(required(`spec.validations[${index}].expression`, 'expression is not specified'));
      }
    });
    return errors;
  },
};

export const admissionPolicyBindingRules: KindRules = {
  columns: admissionPolicyBindingColumns,
  default: defaultAdmissionPolicyBinding,
  validate: (object) => [
    ...(textAt(object, 'spec', 'policyName') === '' ? [required('spec.policyName')] : []),
    ...(textsAt(object, 'spec', 'validationActions').length === 0 ? [required('spec.validationActions')] : []),
  ],
};

function validateWebhooks(object: JsonObject): readonly FieldError[] {
  const names = new Set<string>();
  return itemsAt(object, 'webhooks').flatMap((webhook, index) => {
    const path = `webhooks[${index}]`;
    const name = textAt(webhook, 'name');
    const isRepeated = name !== '' && names.has(name);
    names.add(name);
    return [
      ...validateWebhook(webhook, path),
      ...validateReviewVersions(textsAt(webhook, 'admissionReviewVersions'), `${path}.admissionReviewVersions`),
      ...(isRepeated ? [duplicate(`${path}.name`, name)] : []),
    ];
  });
}

function validateWebhook(webhook: JsonObject, path: string): readonly FieldError[] {
  return [
    ...validateName(textAt(webhook, 'name'), `${path}.name`),
    ...itemsAt(webhook, 'rules').flatMap((rule, index) => validateRule(rule, `${path}.rules[${index}]`)),
    ...checkWord(webhook, 'failurePolicy', path, ['Fail', 'Ignore']),
    ...checkWord(webhook, 'matchPolicy', path, ['Equivalent', 'Exact']),
    ...validateSideEffects(textAt(webhook, 'sideEffects'), `${path}.sideEffects`),
    ...validateTimeout(webhook, `${path}.timeoutSeconds`),
    ...validateLabelSelector(webhook['namespaceSelector'], `${path}.namespaceSelector`),
    ...validateLabelSelector(webhook['objectSelector'], `${path}.objectSelector`),
    ...validateClient(objectAt(webhook, 'clientConfig'), `${path}.clientConfig`),
  ];
}

function validateName(name: string, field: string): readonly FieldError[] {
  if (name === '') return [required(field)];
  const problems = checkDns1123Subdomain(name).map((problem) => invalid(field, name, problem));
  if (problems.length > 0 || name.split('.').length >= 3) return problems;
  return [invalid(field, name, 'should be a domain with at least three segments separated by dots')];
}

function validateRule(rule: JsonObject, path: string): readonly FieldError[] {
  const operations = textsAt(rule, 'operations');
  const errors: FieldError[] = [];
  if (operations.length === 0) errors.push(required(`${path}.operations`));
  if (operations.length > 1 && operations.includes('*')) {
    errors.push(invalid(`${path}.operations`, operations, "if '*' is present, must not specify other operations"));
  }
  operations.forEach((operation, index) => {
    if (!OPERATIONS.includes(operation)) {
      errors.push(notSupported(`${path}.operations[${index}]`, operation, OPERATIONS));
    }
  });
  for (const [name, plural] of [
    ['apiGroups', 'API groups'],
    ['apiVersions', 'API versions'],
  ] as const) {
    const words = textsAt(rule, name);
    if (words.length === 0) errors.push(required(`${path}.${name}`));
    if (words.length > 1 && words.includes('*')) {
      errors.push(invalid(`${path}.${name}`, words, `if '*' is present, must not specify other ${plural}`));
    }
  }
  if (textsAt(rule, 'resources').length === 0) errors.push(required(`${path}.resources`));
  return [...errors, ...checkWord(rule, 'scope', path, ['*', 'Cluster', 'Namespaced'])];
}

function validateSideEffects(word: string, field: string): readonly FieldError[] {
  if (word === '') return [required(field, `must specify one of ${SIDE_EFFECTS.join(', ')}`)];
  return SIDE_EFFECTS.includes(word) ? [] : [notSupported(field, word, SIDE_EFFECTS)];
}

function validateTimeout(webhook: JsonObject, field: string): readonly FieldError[] {
  const seconds = numberAt(webhook, 'timeoutSeconds');
  const isBad = isGivenAt(webhook, 'timeoutSeconds') && (seconds < 1 || seconds > 30);
  return isBad ? [invalid(field, seconds, 'the timeout value must be between 1 and 30 seconds')] : [];
}

function validateClient(client: JsonObject, path: string): readonly FieldError[] {
  const hasUrl = isGivenAt(client, 'url');
  if (hasUrl === isGivenAt(client, 'service')) return [required(path, 'exactly one of url or service is required')];
  return hasUrl
    ? validateWebhookUrl(textAt(client, 'url'), `${path}.url`)
    : validateServiceReference(objectAt(client, 'service'), `${path}.service`);
}

function validateReviewVersions(versions: readonly string[], field: string): readonly FieldError[] {
  if (versions.length === 0) return [required(field, `must specify one of ${REVIEW_VERSIONS.join(', ')}`)];
  if (versions.some((version) => REVIEW_VERSIONS.includes(version))) return [];
  return [invalid(field, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`)];
}
