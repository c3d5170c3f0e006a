import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { objectsAt, textAt, textsAt } from '../identity/object-fields.ts';
import type { AdmissionReview } from '../registry/admission.ts';

/** Which writes a webhook or a policy is about. */
export interface RuleSet {
  readonly rules: readonly JsonObject[];
  readonly excluded: readonly JsonObject[];
  /** Whether a write in another version of the same resource is meant too. */
  readonly isEquivalent: boolean;
}

const POLICIES: ReadonlySet<string> = new Set([
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
]);
const WEBHOOKS: ReadonlySet<string> = new Set(['mutatingwebhookconfigurations', 'validatingwebhookconfigurations']);

/** Whether no policy is asked about a write: what decides about writes must stay within reach. */
export function isExemptFromPolicies({ resource }: Pick<AdmissionReview, 'resource'>): boolean {
  return resource.group === 'admissionregistration.k8s.io' && POLICIES.has(resource.plural);
}

/** The same of webhooks, which are not asked about each other either. Policies are, as they need nobody who answers. */
export function isExemptFromWebhooks(review: Pick<AdmissionReview, 'resource'>): boolean {
  const { group, plural } = review.resource;
  return isExemptFromPolicies(review) || (group === 'admissionregistration.k8s.io' && WEBHOOKS.has(plural));
}

/**
 * The form in which the resource of a write is meant by the rules, which may be another version of it; undefined when
 * the rules are not about the write.
 */
export function matchRules(
  set: RuleSet,
  review: AdmissionReview,
  versionsOf: (group: string, plural: string) => readonly Resource[],
): Resource | undefined {
  const { resource } = review;
  if (set.excluded.some((rule) => matches(rule, review, resource))) return undefined;
  if (set.rules.some((rule) => matches(rule, review, resource))) return resource;
  if (!set.isEquivalent) return undefined;
  const others = versionsOf(resource.group, resource.plural).filter((other) => other.version !== resource.version);
  return others.find((other) => set.rules.some((rule) => matches(rule, review, other)));
}

function matches(rule: JsonObject, review: AdmissionReview, resource: Resource): boolean {
  const names = textsAt(rule, 'resourceNames');
  return (
    includes(textsAt(rule, 'operations'), review.operation) &&
    includes(textsAt(rule, 'apiGroups'), resource.group) &&
    includes(textsAt(rule, 'apiVersions'), resource.version) &&
    (names.length === 0 || names.includes(review.name)) &&
    isInScope(textAt(rule, 'scope'), review) &&
    textsAt(rule, 'resources').some((pattern) => isResource(pattern, resource.plural, review.subresource))
  );
}

function includes(words: readonly string[], word: string): boolean {
  return words.includes('*') || words.includes(word);
}

function isResource(pattern: string, plural: string, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const [main, sub] = slash < 0 ? [pattern, ''] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (main === '*' || main === plural) && (sub === '*' || sub === subresource);
}

function isInScope(scope: string, { resource }: AdmissionReview): boolean {
  if (scope === '' || scope === '*') return true;
  return (scope === 'Namespaced') === resource.isNamespaced;
}

/** The rules of a policy or of its binding, as they stand under `matchConstraints` or `matchResources`. */
export function ruleSetOf(constraints: JsonObject): RuleSet {
  return {
    rules: objectsAt(constraints, 'resourceRules'),
    excluded: objectsAt(constraints, 'excludeResourceRules'),
    isEquivalent: textAt(constraints, 'matchPolicy') !== 'Exact',
  };
}
