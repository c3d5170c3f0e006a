import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '@smalt/json';
import { labelSelectorFrom, matchesLabels, type LabelSelector } from '@smalt/kubernetes';

import { listAt, objectAt, objectsAt, textAt, textMapAt, textsAt } from '../identity/object-fields.ts';

export interface AggregationPlan {
  /** The roles with their new rules. */
  readonly changed: readonly JsonObject[];
  /** Roles whose selectors cannot be read; they keep the rules they have. */
  readonly failed: readonly { readonly name: string; readonly error: unknown }[];
}

/** The aggregated roles, each with the roles it selects, in the order in which their rules count. */
type Selections = ReadonlyMap<JsonObject, readonly JsonObject[]>;

/**
 * Decides which cluster roles need other rules, so that each with an aggregation rule has those of all it selects, in the
 * order of the real controller. What an aggregated role has now does not count, not even for roles that select it: so one
 * plan is enough for any number of levels, and roles that select each other have the rules of all that any of them selects.
 */
export function planAggregation(roles: readonly JsonObject[]): AggregationPlan {
  const sorted = roles.toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
  const selections = new Map<JsonObject, readonly JsonObject[]>();
  const failed: { readonly name: string; readonly error: unknown }[] = [];
  for (const role of sorted) {
    const given = objectsAt(objectAt(role, 'aggregationRule'), 'clusterRoleSelectors');
    if (given.length === 0) continue;
    try {
      selections.set(role, selectRoles(given.map(readSelector), sorted));
    } catch (error) {
      failed.push({ name: nameOf(role), error });
    }
  }
  const changed: JsonObject[] = [];
  for (const role of selections.keys()) {
    const rules = gatherRules(role, selections);
    if (!isSameJson(listAt(role, 'rules'), rules)) changed.push({ ...role, rules });
  }
  return { changed, failed };
}

function selectRoles(selectors: readonly LabelSelector[], roles: readonly JsonObject[]): readonly JsonObject[] {
  return selectors.flatMap((selector) =>
    roles.filter((role) => matchesLabels(selector, textMapAt(objectAt(role, 'metadata'), 'labels'))),
  );
}

// Every role is looked into once, so roles that select each other come to an end.
function gatherRules(role: JsonObject, selections: Selections): readonly JsonValue[] {
  const rules = new Map<string, JsonValue>();
  const seen = new Set<JsonObject>();
  const ahead = [role];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const selected = selections.get(next);
    // The last is taken first.
    for (const each of selected?.toReversed() ?? []) ahead.push(each);
    const own = selected === undefined ? listAt(next, 'rules') : [];
    for (const rule of own) if (!rules.has(keyOf(rule))) rules.set(keyOf(rule), rule);
  }
  return [...rules.values()];
}

// Fields may come in any order, and an empty list says the same as none.
function keyOf(rule: JsonValue): string {
  if (!isJsonObject(rule)) return JSON.stringify(rule);
  const fields = Object.entries(rule).filter(([, value]) => !Array.isArray(value) || value.length > 0);
  return JSON.stringify(fields.toSorted(([left], [right]) => (left < right ? -1 : 1)));
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
