import { isSameJson, type JsonObject } from '@smalt/json';
import { goQuote } from '@smalt/resource';

import { badRequestError, forbiddenError, notFoundError } from '../errors/make-status-error.ts';
import { listAt, objectAt } from '../identity/object-fields.ts';
import { MASTERS_GROUP, type User } from '../identity/user.ts';
import { resourceAttributes, type Authorizer } from './authorizer.ts';
import { RBAC_GROUP, readRoleReference } from './policy-binding.ts';
import type { PolicyIndex, PolicyPlural } from './policy-index.ts';
import { readPolicyRules, type PolicyRule } from './policy-rule.ts';
import { aggregate } from './rbac-authorizer.ts';
import { describeRules, goQuoteList, uncoveredRules } from './rule-coverage.ts';

/** A write of a role or a binding, after all defaults and changes and before it is stored. */
export interface PolicyWrite {
  readonly plural: PolicyPlural;
  readonly user: User;
  /** Of the request; empty for what is cluster-wide. */
  readonly namespace: string;
  readonly name: string;
  readonly object: JsonObject;
  /** What the object was before; absent when it is created. */
  readonly oldObject?: JsonObject | undefined;
}

export interface EscalationDependencies {
  readonly policy: PolicyIndex;
  readonly authorizer: Authorizer;
}

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
];

/**
 * Refuses with a 403 a write through which the writer would hand out more than they hold, unless they may `escalate`
 * the role or `bind` it.
 */
export function checkEscalation(deps: EscalationDependencies, write: PolicyWrite): void {
  if (write.user.groups.includes(MASTERS_GROUP)) return;
  if (write.oldObject !== undefined && changesOnlyGarbageFields(write.object, write.oldObject)) return;
  switch (write.plural) {
    case 'roles':
    case 'clusterroles':
      return checkRole(deps, write);
    case 'rolebindings':
    case 'clusterrolebindings':
      return checkBinding(deps, write);
  }
}

function checkRole(deps: EscalationDependencies, write: PolicyWrite): void {
  const { plural, user, namespace, name } = write;
  const attributes = resourceAttributes({ verb: 'escalate', group: RBAC_GROUP, resource: plural, namespace, name });
  if (deps.authorizer.authorize(user, attributes).allowed) return;
  confirmHeld(deps.policy, write, readPolicyRules(write.object));
  // Such a role can gather anything, so only who has everything may write one.
  if (!isAggregated(write.object) && !isAggregated(write.oldObject)) return;
  const held = deps.policy.rulesFor(user, namespace).rules;
  if (uncoveredRules(held, EVERYTHING).length === 0) return;
  throw forbiddenError(resourceOf(write), name, 'must have cluster-admin privileges to use the aggregationRule');
}

function checkBinding(deps: EscalationDependencies, write: PolicyWrite): void {
  const { plural, user, namespace } = write;
  if (plural === 'rolebindings' && namespace === '') throw badRequestError('namespace is required');
  const role = readRoleReference(write.object);
  const rolePlural = role.kind === 'Role' ? 'roles' : 'clusterroles';
  const isKnownKind = role.kind === 'Role' || role.kind === 'ClusterRole';
  const attributes = resourceAttributes({
    verb: 'bind',
    group: role.apiGroup,
    resource: rolePlural,
    namespace,
    name: role.name,
  });
  if (isKnownKind && deps.authorizer.authorize(user, attributes).allowed) return;
  const rules = deps.policy.rulesOfRole(role, namespace);
  if (rules === undefined) throw notFoundError({ group: RBAC_GROUP, plural: rolePlural }, role.name);
  confirmHeld(deps.policy, write, rules);
}

function confirmHeld(policy: PolicyIndex, write: PolicyWrite, rules: readonly PolicyRule[]): void {
  const { user, namespace } = write;
  const held = policy.rulesFor(user, namespace);
  const missing = uncoveredRules(held.rules, rules);
  if (missing.length === 0) return;
  const who = `user ${goQuote(user.name)} (groups=${goQuoteList(user.groups)})`;
  const list = describeRules(missing).join('\n');
  const errors = held.errors.length === 0 ? '' : `; resolution errors: [${aggregate(held.errors)}]`;
  const why = `${who} is attempting to grant RBAC permissions not currently held:\n${list}${errors}`;
  throw forbiddenError(resourceOf(write), write.name, why);
}

function resourceOf({ plural }: PolicyWrite): { readonly group: string; readonly plural: string } {
  return { group: RBAC_GROUP, plural };
}

function isAggregated(role: JsonObject | undefined): boolean {
  return role !== undefined && listAt(objectAt(role, 'aggregationRule'), 'clusterRoleSelectors').length > 0;
}

// The garbage collector has to be able to take a finalizer or an owner away from what it may not grant.
function changesOnlyGarbageFields(object: JsonObject, old: JsonObject): boolean {
  return isSameJson(withoutGarbageFields(object), withoutGarbageFields(old));
}

function withoutGarbageFields(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const { ownerReferences: _owners, finalizers: _finalizers, managedFields: _fields, ...rest } = metadata;
  return { ...object, metadata: rest };
}
