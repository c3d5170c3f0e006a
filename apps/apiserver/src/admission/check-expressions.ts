import type { JsonObject } from '@smalt/json';
import { invalid, type FieldError } from '@smalt/resource';

import { invalidError } from '../errors/make-status-error.ts';
import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import type { AdmissionReview } from '../registry/admission.ts';
import { AdmissionExpression, type ExpressionLanguage, type ExpressionVariable } from './admission-expression.ts';

/** Refuses policies and webhooks whose expressions cannot be compiled: they could only ever fail. */
export function checkExpressions(review: AdmissionReview): Promise<void> | undefined {
  const { resource, object, operation, subresource } = review;
  if (resource.group !== 'admissionregistration.k8s.io' || object === undefined) return undefined;
  if (operation === 'DELETE' || subresource !== '') return undefined;
  const found = expressionsOf(resource.kind, object);
  return found.length === 0 ? undefined : checkFound(found, review);
}

async function checkFound(found: readonly Found[], { resource, name }: AdmissionReview): Promise<void> {
  const language = await import('@smalt/cel');
  const errors = found.flatMap((expression) => check(language, expression));
  if (errors.length > 0) throw invalidError(resource, name, errors);
}

/** An expression somewhere in an object. */
interface Found {
  readonly source: string;
  readonly field: string;
  readonly variables: readonly ExpressionVariable[];
  readonly type?: 'bool' | 'string';
}

function expressionsOf(kind: string, object: JsonObject): readonly Found[] {
  switch (kind) {
    case 'ValidatingAdmissionPolicy':
      return policyExpressions(objectAt(object, 'spec'));
    case 'MutatingWebhookConfiguration':
    case 'ValidatingWebhookConfiguration':
      return objectsAt(object, 'webhooks').flatMap((webhook, index) =>
        conditions(webhook, `webhooks[${index}].matchConditions`, []),
      );
    default:
      return [];
  }
}

function policyExpressions(spec: JsonObject): readonly Found[] {
  const all = objectsAt(spec, 'variables').map((variable) => ({
    name: textAt(variable, 'name'),
    expression: textAt(variable, 'expression'),
  }));
  return [
    ...conditions(spec, 'spec.matchConditions', all),
    ...all.map(({ expression }, index) => ({
      source: expression,
      field: `spec.variables[${index}].expression`,
      // A variable knows those before it.
      variables: all.slice(0, index),
    })),
    ...objectsAt(spec, 'validations').flatMap((validation, index) =>
      validationExpressions(validation, `spec.validations[${index}]`, all),
    ),
  ];
}

function validationExpressions(
  validation: JsonObject,
  path: string,
  variables: readonly ExpressionVariable[],
): readonly Found[] {
  const rule = {
    source: textAt(validation, 'expression'),
    field: `${path}.expression`,
    variables,
    type: 'bool',
  } as const;
  const message = textAt(validation, 'messageExpression');
  if (message === '') return [rule];
  return [rule, { source: message, field: `${path}.messageExpression`, variables, type: 'string' }];
}

function conditions(owner: JsonObject, path: string, variables: readonly ExpressionVariable[]): readonly Found[] {
  return objectsAt(owner, 'matchConditions').map((condition, index) => ({
    source: textAt(condition, 'expression'),
    field: `${path}[${index}].expression`,
    variables,
    type: 'bool',
  }));
}

function check(language: ExpressionLanguage, { source, field, variables, type }: Found): readonly FieldError[] {
  const problem = new AdmissionExpression(source, variables).problem(language, type);
  return problem === undefined ? [] : [invalid(field, source, problem)];
}
