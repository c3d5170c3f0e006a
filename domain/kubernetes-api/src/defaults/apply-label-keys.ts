import type { JsonObject } from '@smalt/json';

import { withChild, withField, withItems } from '../edit-object.ts';
import { isGivenAt, itemsAt, objectAt, textsAt } from '../read-path.ts';

/**
 * A new pod, the rules of which select others also by its own labels with the keys that they name: schedulers then need
 * not know of such keys.
 */
export function applyLabelKeys(pod: JsonObject): JsonObject {
  const labels = objectAt(pod, 'metadata', 'labels');
  const apply = (rule: JsonObject): JsonObject => withOwnLabels(rule, labels);
  const applyToTerms = (affinity: JsonObject): JsonObject =>
    withItems(
      withItems(affinity, 'requiredDuringSchedulingIgnoredDuringExecution', apply),
      'preferredDuringSchedulingIgnoredDuringExecution',
      (term) => withChild(term, 'podAffinityTerm', apply),
    );
  return withChild(pod, 'spec', (spec) =>
    withChild(
      withItems(spec, 'topologySpreadConstraints', apply),
      'affinity',
      (affinity) => withChild(affinity, 'podAffinity', applyToTerms),
      (affinity) => withChild(affinity, 'podAntiAffinity', applyToTerms),
    ),
  );
}

function withOwnLabels(rule: JsonObject, labels: JsonObject): JsonObject {
  // One without a selector selects nobody.
  if (!isGivenAt(rule, 'labelSelector')) return rule;
  const parts = [
    ...requirements(rule, 'matchLabelKeys', 'In', labels),
    ...requirements(rule, 'mismatchLabelKeys', 'NotIn', labels),
  ];
  if (parts.length === 0) return rule;
  return withChild(rule, 'labelSelector', (selector) =>
    withField(selector, 'matchExpressions', [...itemsAt(selector, 'matchExpressions'), ...parts]),
  );
}

function requirements(rule: JsonObject, name: string, operator: string, labels: JsonObject): readonly JsonObject[] {
  return textsAt(rule, name).flatMap((key) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    return typeof value === 'string' ? [{ key, operator, values: [value] }] : [];
  });
}
