import { MASTERS_GROUP, type User } from '../identity/user.ts';
import type { Attributes, Authorizer, Decision } from './authorizer.ts';
import type { PolicyIndex } from './policy-index.ts';
import { ruleAllows } from './policy-rule.ts';

const ALLOWED_AS_MASTER: Decision = { allowed: true, reason: '' };

/** Decides by roles and bindings; members of `system:masters` may do everything. */
export class RbacAuthorizer implements Authorizer {
  readonly #policy: PolicyIndex;

  constructor(policy: PolicyIndex) {
    this.#policy = policy;
  }

  authorize(user: User, attributes: Attributes): Decision {
    if (user.groups.includes(MASTERS_GROUP)) return ALLOWED_AS_MASTER;
    let allowedBy: string | undefined;
    const errors: string[] = [];
    this.#policy.visit(user, attributes.namespace, (visited) => {
      if (visited.kind === 'missing') errors.push(visited.message);
      else if (ruleAllows(visited.rule, attributes)) allowedBy = visited.description;
      return allowedBy !== undefined;
    });
    if (allowedBy !== undefined) return { allowed: true, reason: `RBAC: allowed by ${allowedBy}` };
    return { allowed: false, reason: errors.length === 0 ? '' : `RBAC: ${aggregate(errors)}` };
  }
}

/** Several messages as one, each once. */
export function aggregate(messages: readonly string[]): string {
  const distinct = [...new Set(messages)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`;
}
