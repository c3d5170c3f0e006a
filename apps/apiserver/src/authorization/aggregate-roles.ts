import { isSameJson, type JsonObject, type JsonValue } from '@smalt/json';
import { labelSelectorFrom, matchesLabels, type LabelSelector } from '@smalt/kubernetes';

import { listAt, objectAt, objectsAt, textAt, textMapAt, textsAt } from '../identity/object-fields.ts';

export interface AggregationPlan {
  /** The roles with their new rules. */
  readonly changed: readonly JsonObject[];
  /** Roles whose selectors cannot be read; they keep the rules they have. */
  readonly failed: readonly { readonly name: string; readonly error: unknown }[];
}

/** Decides which cluster roles need other rules, so that each with an aggregation rule has those of all it selects. */
export function planAggregation(roles: readonly JsonObject[]): AggregationPlan {
  const sorted = roles.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
  const changed: JsonObject[] = [];
  const failed: { readonly name: string; readonly error: unknown }[] = [];
  for (const role of sorted) {
    const given = objectsAt(objectAt(role, 'aggregationRule'), 'clusterRoleSelectors');
    if (given.length === 0) continue;
    try {
      const rules = aggregatedRules(role, given.map(readSelector), sorted);
      if (!isSameJson(listAt(role, 'rules'), rules)) changed.push({ ...role, rules });
    } catch (error) {
      failed.push({ name: nameOf(role), error });
    }
  }
  return { changed, failed };
}

function aggregatedRules(
  role: JsonObject,
  selectors: readonly LabelSelector[],
  roles: readonly JsonObject[],
): readonly JsonValue[] {
  const rules = new Map<string, JsonValue>();
  for (const selector of selectors) {
    for (const other of roles) {
      const labels = textMapAt(objectAt(other, 'metadata'), 'labels');
      if (nameOf(other) === nameOf(role) || !matchesLabels(selector, labels)) continue;
      for (const rule of listAt(other, 'rules')) rules.set(JSON.stringify(rule), rule);
    }
  }
  return [...rules.values()];
}

function readSelector(selector: JsonObject): LabelSelector {
  return labelSelectorFrom({
    matchLabels: textMapAt(selector, 'matchLabels'),
    matchExpressions: objectsAt(selector, 'matchExpressions').map((expression) => ({
      key: textAt(expression, 'key'),
      operator: textAt(expression, 'operator'),
      values: textsAt(expression, 'values'),
    })),
  });
}

function nameOf(role: JsonObject): string {
  return textAt(objectAt(role, 'metadata'), 'name');
}
