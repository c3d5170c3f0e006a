import type { JsonObject } from '@smalt/json';

import { objectsAt, textsAt } from '../identity/object-fields.ts';
import type { Attributes } from './authorizer.ts';

/** One rule of a role. Fields that are absent in the object are empty lists here. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

const ALL = '*';

/** Reads the rules of a role as it is stored. */
export function readPolicyRules(role: JsonObject): readonly PolicyRule[] {
  return objectsAt(role, 'rules').map((rule) => ({
    verbs: textsAt(rule, 'verbs'),
    apiGroups: textsAt(rule, 'apiGroups'),
    resources: textsAt(rule, 'resources'),
    resourceNames: textsAt(rule, 'resourceNames'),
    nonResourceURLs: textsAt(rule, 'nonResourceURLs'),
  }));
}

/** A rule as it stands in an object: empty lists are left out, except for the verbs. */
export function writePolicyRule(rule: PolicyRule): JsonObject {
  return {
    ...(rule.apiGroups.length === 0 ? {} : { apiGroups: rule.apiGroups }),
    ...(rule.nonResourceURLs.length === 0 ? {} : { nonResourceURLs: rule.nonResourceURLs }),
    ...(rule.resourceNames.length === 0 ? {} : { resourceNames: rule.resourceNames }),
    ...(rule.resources.length === 0 ? {} : { resources: rule.resources }),
    verbs: rule.verbs,
  };
}

/** Whether a rule alone allows something. */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!holds(rule.verbs, attributes.verb)) return false;
  if (!attributes.isResourceRequest)
    return rule.nonResourceURLs.some((pattern) => coversPath(pattern, attributes.path));
  return (
    holds(rule.apiGroups, attributes.group) &&
    allowsResource(rule.resources, attributes.resource, attributes.subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name))
  );
}

/** Whether a pattern such as `/healthz/*` stands for a path. */
export function coversPath(pattern: string, path: string): boolean {
  if (pattern === path || pattern === ALL) return true;
  return pattern.endsWith(ALL) && path.startsWith(pattern.replace(/\*+$/, ''));
}

function allowsResource(resources: readonly string[], resource: string, subresource: string): boolean {
  if (subresource === '') return holds(resources, resource);
  return holds(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}

function holds(list: readonly string[], item: string): boolean {
  return list.includes(ALL) || list.includes(item);
}
