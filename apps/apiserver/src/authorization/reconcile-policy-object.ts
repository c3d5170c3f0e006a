import { isJsonObject, isSameJson, type JsonObject, type JsonValue } from '@smalt/json';

import { listAt, objectAt } from '../identity/object-fields.ts';
import { readPolicyRules, writePolicyRule } from './policy-rule.ts';
import { uncoveredRules } from './rule-coverage.ts';

const AUTO_UPDATE = 'rbac.authorization.kubernetes.io/autoupdate';

/** What to do so that an existing object of the default policy grants at least what it is meant to. */
export type PolicyStep =
  | { readonly kind: 'keep' }
  | { readonly kind: 'update'; readonly object: JsonObject }
  /** The role of a binding cannot be changed, so the binding has to be made anew. */
  | { readonly kind: 'replace'; readonly object: JsonObject };

/**
 * Decides how an object of the default policy is brought up to date: what is missing is added, what an administrator
 * added is kept, and an object with the annotation `autoupdate: "false"` is left alone.
 */
export function reconcilePolicyObject(existing: JsonObject, expected: JsonObject): PolicyStep {
  const annotations = objectAt(objectAt(existing, 'metadata'), 'annotations');
  if (annotations[AUTO_UPDATE] === 'false') return { kind: 'keep' };
  const isBinding = expected['roleRef'] !== undefined;
  if (isBinding && !isSameJson(existing['roleRef'], expected['roleRef'])) {
    return { kind: 'replace', object: expected };
  }
  const merged = {
    ...existing,
    metadata: mergedMetadata(existing, expected),
    ...(isBinding ? { subjects: mergedSubjects(existing, expected) } : mergedRole(existing, expected)),
  };
  return isSameJson(merged, existing) ? { kind: 'keep' } : { kind: 'update', object: merged };
}

function mergedMetadata(existing: JsonObject, expected: JsonObject): JsonObject {
  const before = objectAt(existing, 'metadata');
  const wanted = objectAt(expected, 'metadata');
  return {
    ...before,
    labels: { ...objectAt(wanted, 'labels'), ...objectAt(before, 'labels') },
    annotations: { ...objectAt(wanted, 'annotations'), ...objectAt(before, 'annotations') },
  };
}

function mergedSubjects(existing: JsonObject, expected: JsonObject): readonly JsonValue[] {
  const before = listAt(existing, 'subjects');
  const missing = listAt(expected, 'subjects').filter(
    (subject) => !before.some((candidate) => isSameJson(candidate, subject)),
  );
  return [...before, ...missing];
}

function mergedRole(existing: JsonObject, expected: JsonObject): JsonObject {
  const missing = uncoveredRules(readPolicyRules(existing), readPolicyRules(expected));
  const rules =
    missing.length === 0
      ? existing['rules']
      : [...listAt(existing, 'rules'), ...missing.map((rule) => writePolicyRule(rule))];
  const aggregationRule = mergedAggregation(existing['aggregationRule'], expected['aggregationRule']);
  return {
    ...(rules === undefined ? {} : { rules }),
    ...(aggregationRule === undefined ? {} : { aggregationRule }),
  };
}

function mergedAggregation(existing: JsonValue | undefined, expected: JsonValue | undefined): JsonValue | undefined {
  if (!isJsonObject(expected)) return existing;
  if (!isJsonObject(existing)) return expected;
  const before = listAt(existing, 'clusterRoleSelectors');
  const missing = listAt(expected, 'clusterRoleSelectors').filter(
    (selector) => !before.some((candidate) => isSameJson(candidate, selector)),
  );
  return missing.length === 0 ? existing : { ...existing, clusterRoleSelectors: [...before, ...missing] };
}
