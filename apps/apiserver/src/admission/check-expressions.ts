import type { JsonObject } from '@smalt/json';
import { invalid, type FieldError } from '@smalt/resource';

import { invalidError } from '../errors/make-status-error.ts';
import { objectAt, objectsAt, textAt } from '../identity/object-fields.ts';
import type { AdmissionReview } from '../registry/admission.ts';
import { AdmissionExpression, type ExpressionVariable } from './admission-expression.ts';

/** Refuses policies and webhooks whose expressions cannot be compiled: they could only ever fail. */
export function checkExpressions({ resource, object, operation, subresource, name }: AdmissionReview): void {
  if (resource.group !== 'admissionregistration.k8s.io' || object === undefined) return;
  if (operation === 'DELETE' || subresource !== '') return;
  const errors = errorsOf(resource.kind, object);
  if (errors.length > 0) throw invalidError(resource, name, errors);
}

function errorsOf(kind: string, object: JsonObject): readonly FieldError[] {
  switch (kind) {
    case 'ValidatingAdmissionPolicy':
      return policyErrors(objectAt(object, 'spec'));
    case 'MutatingWebhookConfiguration':
    case 'ValidatingWebhookConfiguration':
      return objectsAt(object, 'webhooks').flatMap((webhook, index) =>
        conditionErrors(webhook, `webhooks[${index}].matchConditions`, []),
      );
    default:
      return [];
  }
}

function policyErrors(spec: JsonObject): readonly FieldError[] {
  const variables: ExpressionVariable[] = [];
  const errors: FieldError[] = [];
  for (const [index, variable] of objectsAt(spec, 'variables').entries()) {
    const expression = textAt(variable, 'expression');
    errors.push(...check(expression, `spec.variables[${index}].expression`, variables));
    variables.push({ name: textAt(variable, 'name'), expression });
  }
  return [
    ...conditionErrors(spec, 'spec.matchConditions', variables),
    ...errors,
    ...objectsAt(spec, 'validations').flatMap((validation, index) => {
      const path = `spec.validations[${index}]`;
      const message = textAt(validation, 'messageExpression');
      return [
        ...check(textAt(validation, 'expression'), `${path}.expression`, variables, 'bool'),
        ...(message === '' ? [] : check(message, `${path}.messageExpression`, variables, 'string')),
      ];
    }),
  ];
}

function conditionErrors(
  owner: JsonObject,
  path: string,
  variables: readonly ExpressionVariable[],
): readonly FieldError[] {
  return objectsAt(owner, 'matchConditions').flatMap((condition, index) =>
    check(textAt(condition, 'expression'), `${path}[${index}].expression`, variables, 'bool'),
  );
}

function check(
  source: string,
  field: string,
  variables: readonly ExpressionVariable[],
  type?: 'bool' | 'string',
): readonly FieldError[] {
  const problem = new AdmissionExpression(source, variables).problem(type);
  return problem === undefined ? [] : [invalid(field, source, problem)];
}
