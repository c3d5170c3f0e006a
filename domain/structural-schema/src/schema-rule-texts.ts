import { invalid, notSupported, required, type FieldError, type Schema, type ValidationRule } from '@smalt/resource';

import { findSchemaField } from './find-schema-field.ts';

const REASONS: readonly string[] = [
  'FieldValueDuplicate',
  'FieldValueForbidden',
  'FieldValueInvalid',
  'FieldValueRequired',
];
const LINE_BREAK = /[\n\r]/;

/** What is wrong with the rules of a schema before they are compiled. */
export function checkRuleTexts(schema: Schema, path: string): FieldError[] {
  return (schema['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
    const field = `${path}.x-kubernetes-validations[${index}]`;
    return [...checkTexts(rule, field), ...checkReason(rule, field), ...checkFieldPath(rule, schema, field)];
  });
}

function checkTexts(rule: ValidationRule, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const { message = '', messageExpression = '' } = rule;
  const text = (rule.rule ?? '').trim();
  if (text === '') errors.push(required(`${field}.rule`, 'rule is not specified'));
  else if (message !== '' && message.trim() === '') {
    errors.push(invalid(`${field}.message`, message, 'must be non-empty if specified'));
  } else if (LINE_BREAK.test(message.trim())) {
    errors.push(invalid(`${field}.message`, message, 'must not contain line breaks'));
  } else if (LINE_BREAK.test(text) && message.trim() === '') {
    errors.push(required(`${field}.message`, 'message must be specified if rule contains line breaks'));
  }
  if (messageExpression !== '' && messageExpression.trim() === '') {
    errors.push(required(`${field}.messageExpression`, 'messageExpression must be non-empty if specified'));
  }
  return errors;
}

function checkReason(rule: ValidationRule, field: string): FieldError[] {
  if (rule.reason === undefined || REASONS.includes(rule.reason)) return [];
  return [notSupported(`${field}.reason`, rule.reason, REASONS)];
}

function checkFieldPath(rule: ValidationRule, schema: Schema, field: string): FieldError[] {
  const { fieldPath = '' } = rule;
  if (fieldPath === '') return [];
  const errors: FieldError[] = [];
  const path = `${field}.fieldPath`;
  if (fieldPath.trim() === '') errors.push(invalid(path, fieldPath, 'must be non-empty if specified'));
  if (LINE_BREAK.test(fieldPath)) errors.push(invalid(path, fieldPath, 'must not contain line breaks'));
  if (findSchemaField(fieldPath, schema, { allowsBrackets: true }).kind === 'problem') {
    errors.push(invalid(path, fieldPath, 'must be a valid path'));
  }
  return errors;
}
