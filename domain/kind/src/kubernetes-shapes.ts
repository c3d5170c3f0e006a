import type { TSchema } from 'typebox';

import { atomicListOf, choice, int64, keyedListOf, mapOf, shape, text, time } from './field-builders.ts';

const CONDITION_TYPE =
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$';

/** A condition with the limits that Kubernetes sets for its own. */
export const condition: TSchema = shape({
  name: 'Condition',
  description: 'A fact about the object that people and programs wait for.',
  required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
  fields: {
    lastTransitionTime: time('When the status last changed.'),
    message: text('What happened, and what to do next, as a sentence.', { maxLength: 32768 }),
    observedGeneration: int64('The generation of the object that this was judged by.', { minimum: 0 }),
    reason: text('Why the status is what it is, as one CamelCase word.', {
      minLength: 1,
      maxLength: 1024,
      pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$',
    }),
    status: choice(['True', 'False', 'Unknown'], 'Whether the condition holds.'),
    type: text('What the condition is about.', { maxLength: 316, pattern: CONDITION_TYPE }),
  },
});

/** A list of conditions, one per type. */
export function conditions(description: string, item: TSchema = condition): TSchema {
  return keyedListOf({ item, keys: ['type'] }, description);
}

const labelSelectorRequirement: TSchema = shape({
  name: 'LabelSelectorRequirement',
  description: 'What one label must be.',
  required: ['key', 'operator'],
  fields: {
    key: text('The label.'),
    operator: text('`In`, `NotIn`, `Exists` or `DoesNotExist`.'),
    values: atomicListOf(text(''), 'The values for `In` and `NotIn`; empty for the others.'),
  },
});

/** Chooses objects by their labels. */
export const labelSelector: TSchema = shape({
  name: 'LabelSelector',
  description: 'Chooses objects by their labels; all requirements must hold.',
  options: { 'x-kubernetes-map-type': 'atomic' },
  fields: {
    matchExpressions: atomicListOf(labelSelectorRequirement, 'What labels must be.'),
    matchLabels: mapOf(text(''), 'Labels with the exact values they must have.'),
  },
});
