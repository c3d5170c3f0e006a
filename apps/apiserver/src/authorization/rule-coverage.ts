import { goQuote } from '@smalt/resource';

import { coversPath, type PolicyRule } from './policy-rule.ts';

/** The parts of `wanted` that `held` does not allow, each with one verb on one thing. */
export function uncoveredRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(breakDown).filter((part) => !held.some((rule) => covers(rule, part)));
}

/** Rules as the refusal of an escalation lists them: verbs on the same thing together, in order, a line each. */
export function describeRules(rules: readonly PolicyRule[]): readonly string[] {
  const merged = new Map<string, PolicyRule>();
  for (const rule of rules) {
    const key = JSON.stringify([rule.apiGroups, rule.resources, rule.resourceNames, rule.nonResourceURLs]);
    // Verbs on paths stay apart, as they do in Kubernetes.
    const place = rule.nonResourceURLs.length === 0 ? key : `${key}${rule.verbs.join(',')}`;
    const before = merged.get(place);
    merged.set(place, before === undefined ? rule : { ...before, verbs: [...before.verbs, ...rule.verbs] });
  }
  return [...new Set([...merged.values()].map(describeRule))].toSorted(bytewise);
}

/** Texts in quotes and brackets, as Go prints a list of them. */
export function goQuoteList(items: readonly string[]): string {
  return `[${items.map(goQuote).join(' ')}]`;
}

function describeRule(rule: PolicyRule): string {
  const parts: readonly (readonly [string, readonly string[]])[] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ];
  const shown = parts.filter(([, items]) => items.length > 0).map(([name, items]) => `${name}:${goQuoteList(items)}`);
  return `{${shown.join(', ')}}`;
}

function breakDown(rule: PolicyRule): readonly PolicyRule[] {
  const names = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name]);
  const onResources = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        names.map((resourceNames) => ({
          verbs: [verb],
          apiGroups: [group],
          resources: [resource],
          resourceNames,
          nonResourceURLs: [],
        })),
      ),
    ),
  );
  const onPaths = rule.nonResourceURLs.flatMap((path) =>
    rule.verbs.map((verb) => ({
      verbs: [verb],
      apiGroups: [],
      resources: [],
      resourceNames: [],
      nonResourceURLs: [path],
    })),
  );
  return [...onResources, ...onPaths];
}

/** `part` has at most one entry in each list. */
function covers(rule: PolicyRule, part: PolicyRule): boolean {
  return (
    holdsAll(rule.verbs, part.verbs) &&
    holdsAll(rule.apiGroups, part.apiGroups) &&
    part.resources.every((resource) => coversResource(rule.resources, resource)) &&
    part.nonResourceURLs.every((path) => rule.nonResourceURLs.some((pattern) => coversPath(pattern, path))) &&
    coversNames(rule.resourceNames, part.resourceNames)
  );
}

function coversResource(resources: readonly string[], resource: string): boolean {
  if (resources.includes('*') || resources.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash !== -1 && resources.includes(`*${resource.slice(slash)}`);
}

function coversNames(held: readonly string[], wanted: readonly string[]): boolean {
  if (held.length === 0) return true;
  return wanted.length > 0 && wanted.every((name) => held.includes(name));
}

function holdsAll(held: readonly string[], wanted: readonly string[]): boolean {
  return held.includes('*') || wanted.every((item) => held.includes(item));
}

function bytewise(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
