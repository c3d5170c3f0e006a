import type { JsonObject } from '@smalt/json';
import { goQuote } from '@smalt/resource';

import { objectAt, textAt } from '../identity/object-fields.ts';
import type { User } from '../identity/user.ts';
import { groupKey, readPolicyBinding, userKey, type PolicyBinding, type RoleReference } from './policy-binding.ts';
import { readPolicyRules, type PolicyRule } from './policy-rule.ts';

export const POLICY_PLURALS = ['clusterroles', 'roles', 'clusterrolebindings', 'rolebindings'] as const;

export type PolicyPlural = (typeof POLICY_PLURALS)[number];

interface BoundRole {
  readonly binding: PolicyBinding;
  readonly description: string;
}

/** A rule that applies to a user, with what gave it; or why a role that was given cannot be found. */
export type VisitedRule =
  | { readonly kind: 'rule'; readonly rule: PolicyRule; readonly description: string }
  | { readonly kind: 'missing'; readonly message: string };

/** Roles and bindings, arranged so that what applies to a user is found without a search. */
export class PolicyIndex {
  readonly #roles = new Map<string, readonly PolicyRule[]>();
  readonly #bindings = new Map<string, PolicyBinding>();
  /** By namespace (empty for cluster role bindings), then by subject. */
  readonly #bound = new Map<string, Map<string, BoundRole[]>>();

  /** Takes in an object that was created or changed. */
  put(plural: PolicyPlural, object: JsonObject): void {
    const { namespace, name } = keyOf(object);
    if (plural === 'roles' || plural === 'clusterroles') {
      this.#roles.set(roleKey(namespace, name), readPolicyRules(object));
      return;
    }
    this.remove(plural, namespace, name);
    const binding = readPolicyBinding(object);
    this.#bindings.set(roleKey(namespace, name), binding);
    for (const { key, description } of binding.subjects) {
      const subjects = mapAt(this.#bound, namespace);
      const list = subjects.get(key) ?? [];
      list.push({ binding, description });
      subjects.set(key, list);
    }
  }

  /** Forgets an object that was deleted. Of a cluster-wide one the namespace is empty. */
  remove(plural: PolicyPlural, namespace: string, name: string): void {
    const id = roleKey(namespace, name);
    if (plural === 'roles' || plural === 'clusterroles') {
      this.#roles.delete(id);
      return;
    }
    const binding = this.#bindings.get(id);
    if (binding === undefined) return;
    this.#bindings.delete(id);
    const subjects = this.#bound.get(namespace);
    for (const { key } of binding.subjects) {
      const rest = subjects?.get(key)?.filter((bound) => bound.binding !== binding) ?? [];
      if (rest.length > 0) subjects?.set(key, rest);
      else subjects?.delete(key);
    }
    if (subjects?.size === 0) this.#bound.delete(namespace);
  }

  /** The rules of a role that a binding in this namespace refers to; undefined when there is no such role. */
  rulesOfRole(role: RoleReference, bindingNamespace: string): readonly PolicyRule[] | undefined {
    if (role.kind === 'ClusterRole') return this.#roles.get(roleKey('', role.name));
    return role.kind === 'Role' ? this.#roles.get(roleKey(bindingNamespace, role.name)) : undefined;
  }

  /** Calls back with all that applies to a user in a namespace and cluster-wide, until the callback returns true. */
  visit(user: User, namespace: string, visitor: (visited: VisitedRule) => boolean): void {
    if (this.#visitBound(user, '', visitor) || namespace === '') return;
    this.#visitBound(user, namespace, visitor);
  }

  /** All rules that apply to a user in a namespace, and which roles could not be found. */
  rulesFor(
    user: User,
    namespace: string,
  ): { readonly rules: readonly PolicyRule[]; readonly errors: readonly string[] } {
    const rules: PolicyRule[] = [];
    const errors: string[] = [];
    this.visit(user, namespace, (visited) => {
      if (visited.kind === 'rule') rules.push(visited.rule);
      else errors.push(visited.message);
      return false;
    });
    return { rules, errors };
  }

  #visitBound(user: User, namespace: string, visitor: (visited: VisitedRule) => boolean): boolean {
    const subjects = this.#bound.get(namespace);
    if (subjects === undefined) return false;
    const seen = new Set<PolicyBinding>();
    if (this.#visitSubject(subjects.get(userKey(user.name)), seen, visitor)) return true;
    return user.groups.some((group) => this.#visitSubject(subjects.get(groupKey(group)), seen, visitor));
  }

  #visitSubject(
    bound: readonly BoundRole[] | undefined,
    seen: Set<PolicyBinding>,
    visitor: (visited: VisitedRule) => boolean,
  ): boolean {
    for (const { binding, description } of bound ?? []) {
      // A binding can name both a user and a group the user is in.
      if (seen.has(binding)) continue;
      seen.add(binding);
      const rules = this.rulesOfRole(binding.role, binding.namespace);
      if (rules === undefined) {
        if (visitor({ kind: 'missing', message: missingRole(binding.role) })) return true;
      } else if (rules.some((rule) => visitor({ kind: 'rule', rule, description }))) return true;
    }
    return false;
  }
}

function missingRole({ kind, name }: RoleReference): string {
  if (kind !== 'Role' && kind !== 'ClusterRole') return `unsupported role reference kind: ${goQuote(kind)}`;
  return `${kind.toLowerCase()}.rbac.authorization.k8s.io ${goQuote(name)} not found`;
}

function roleKey(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function keyOf(object: JsonObject): { readonly namespace: string; readonly name: string } {
  const metadata = objectAt(object, 'metadata');
  return { namespace: textAt(metadata, 'namespace'), name: textAt(metadata, 'name') };
}

function mapAt<V>(maps: Map<string, Map<string, V>>, key: string): Map<string, V> {
  const known = maps.get(key);
  if (known !== undefined) return known;
  const made = new Map<string, V>();
  maps.set(key, made);
  return made;
}
