import type { JsonObject, JsonValue } from '@smalt/json';
import { forbidden, invalid, notSupported, required, type FieldError } from '@smalt/resource';

import { isGivenAt, objectAt, textAt } from '../read-path.ts';
import { isEmptySelector, selectorMatches, validateLabelSelector } from './label-selector.ts';
import { validatePodTemplate } from './validate-pod-spec.ts';

/** What is wrong with the selector and the template of a kind that keeps pods running. */
export function validateTemplated(spec: JsonObject, owner: string, emptyName: string): readonly FieldError[] {
  const template = objectAt(spec, 'template');
  return [
    ...validateSelector(spec, emptyName),
    ...validateMatch(spec, template),
    ...validatePodTemplate(template, 'spec.template'),
    ...validateLongRunning(template, owner),
  ];
}

/** A number of pods, or a percentage of them. */
export function validateIntOrPercent(value: JsonValue | undefined, field: string): readonly FieldError[] {
  if (typeof value === 'string') {
    const problem =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";
    return /^[0-9]+%$/.test(value) ? [] : [invalid(field, value, problem)];
  }
  return typeof value === 'number' && value < 0 ? [invalid(field, value, 'must be greater than or equal to 0')] : [];
}

/** A share of the pods cannot be more than all of them. */
export function validateAtMostAll(value: JsonValue | undefined, field: string): readonly FieldError[] {
  const isTooMuch = typeof value === 'string' && /^[0-9]+%$/.test(value) && Number.parseInt(value, 10) > 100;
  return isTooMuch ? [invalid(field, value, 'must not be greater than 100%')] : [];
}

/** Whether a number or percentage is nothing. */
export function isZero(value: JsonValue | undefined): boolean {
  return typeof value === 'string' ? Number.parseInt(value, 10) === 0 : (value ?? 0) === 0;
}

function validateSelector(spec: JsonObject, emptyName: string): readonly FieldError[] {
  if (!isGivenAt(spec, 'selector')) return [required('spec.selector')];
  const selector = objectAt(spec, 'selector');
  return [
    ...validateLabelSelector(selector, 'spec.selector'),
    ...(isEmptySelector(selector)
      ? [invalid('spec.selector', selector, `empty selector is invalid for ${emptyName}`)]
      : []),
  ];
}

function validateMatch(spec: JsonObject, template: JsonObject): readonly FieldError[] {
  // Without a selector nothing is selected, so no labels match it either.
  const selector = objectAt(spec, 'selector');
  const labels = objectAt(template, 'metadata', 'labels');
  const isGiven = isGivenAt(spec, 'selector');
  if (isGiven && (isEmptySelector(selector) || selectorMatches(selector, labels))) return [];
  const shown = Object.keys(labels).length === 0 ? null : labels;
  return [invalid('spec.template.metadata.labels', shown, '`selector` does not match template `labels`')];
}

function validateLongRunning(template: JsonObject, owner: string): readonly FieldError[] {
  const path = 'spec.template.spec';
  const policy = textAt(template, 'spec', 'restartPolicy');
  const errors: FieldError[] = [];
  if (policy !== 'Always') errors.push(notSupported(`${path}.restartPolicy`, policy, ['Always']));
  if (isGivenAt(template, 'spec', 'activeDeadlineSeconds')) {
    errors.push(forbidden(`${path}.activeDeadlineSeconds`, `activeDeadlineSeconds in ${owner} is not Supported`));
  }
  return errors;
}
