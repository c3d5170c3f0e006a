import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import type { Authorizer } from '../authorization/authorizer.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { forbiddenError, notFoundError } from '../errors/make-status-error.ts';
import { StatusError, type StatusReason } from '../errors/status-error.ts';
import type { AdmissionReview } from '../registry/admission.ts';
import { isNamespace } from '../registry/namespace-lifecycle.ts';
import { ServedObjects } from '../registry/served-object.ts';
import type { Store } from '../store/store.ts';
import type { AdmissionStep } from './admission-chain.ts';
import {
  expressionAuthorizer,
  newBudget,
  type ExpressionInput,
  type ExpressionLanguage,
} from './admission-expression.ts';
import { admissionRequest, versionedObject } from './admission-request.ts';
import { evaluatePolicy, type PolicyDenial } from './evaluate-policy.ts';
import { FollowedList } from './followed-list.ts';
import { isExemptFromPolicies, matchRules } from './match-rules.ts';
import { matchesSelectors } from './match-selectors.ts';
import { paramsOf } from './policy-params.ts';
import { policyBindingOf, policyOf, type Policy, type PolicyBinding } from './policy.ts';
import { reviewedName } from './reviewed-name.ts';

export interface PolicyDependencies {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly authorizer: Authorizer;
}

/** The version of the object that a policy is about, and what its expressions are evaluated with. */
interface Match {
  readonly language: ExpressionLanguage;
  readonly matched: Resource;
}

const GROUP = 'admissionregistration.k8s.io';
const CODES: ReadonlyMap<string, readonly [StatusReason, number]> = new Map([
  ['Forbidden', ['Forbidden', 403]],
  ['Unauthorized', ['Unauthorized', 401]],
  ['RequestEntityTooLarge', ['RequestEntityTooLarge', 413]],
  ['Invalid', ['Invalid', 422]],
]);

/** Asks the ValidatingAdmissionPolicies that are bound about every write. */
export class ValidatingPolicies implements AdmissionStep, Disposable {
  readonly #deps: PolicyDependencies;
  readonly #served = new ServedObjects();
  readonly #policies: FollowedList<Policy>;
  readonly #bindings: FollowedList<PolicyBinding>;

  constructor(deps: PolicyDependencies) {
    this.#deps = deps;
    this.#policies = new FollowedList(deps.store, `validatingadmissionpolicies.${GROUP}`, (object) => [
      policyOf(object),
    ]);
    this.#bindings = new FollowedList(deps.store, `validatingadmissionpolicybindings.${GROUP}`, (object) => [
      policyBindingOf(object),
    ]);
  }

  validate(review: AdmissionReview): Promise<void> | void {
    if (this.#bindings.items.length === 0 || this.#policies.items.length === 0 || isExemptFromPolicies(review))
      return undefined;
    return this.#validate(review);
  }

  [Symbol.dispose](): void {
    this.#policies[Symbol.dispose]();
    this.#bindings[Symbol.dispose]();
  }

  async #validate(review: AdmissionReview): Promise<void> {
    const language = await import('@smalt/cel');
    let refusal: StatusError | undefined;
    for (const policy of this.#policies.items) {
      const matched = this.#matches(policy, review);
      if (matched === undefined) continue;
      const bindings = this.#bindings.items.filter(({ policyName }) => policyName === policy.name);
      for (const binding of bindings) {
        // All of them are asked, since later ones may have warnings to give.
        const denial = this.#judge(policy, binding, review, { language, matched });
        refusal ??= denial;
      }
    }
    if (refusal !== undefined) throw refusal;
  }

  #matches({ rules, selectors }: Pick<Policy, 'rules' | 'selectors'>, review: AdmissionReview): Resource | undefined {
    const { store, catalog } = this.#deps;
    const matched = matchRules(rules, review, (group, plural) => catalog.versionsOf(group, plural));
    return matched !== undefined && matchesSelectors(store, selectors, review) ? matched : undefined;
  }

  #judge(policy: Policy, binding: PolicyBinding, review: AdmissionReview, match: Match): StatusError | undefined {
    const { rules, selectors } = binding;
    const isBound =
      rules === undefined
        ? matchesSelectors(this.#deps.store, selectors, review)
        : this.#matches({ rules, selectors }, review) !== undefined;
    if (!isBound) return undefined;
    const deps = { ...this.#deps, served: this.#served };
    const found = paramsOf(deps, policy, binding, isNamespace(review.resource) ? '' : review.namespace);
    if (found.kind === 'error') {
      const denial = { message: `failed to configure binding: ${found.message}`, reason: 'Invalid' };
      return policy.isIgnoredOnFailure ? undefined : denied(policy, binding, review, denial);
    }
    const denials = found.params.flatMap((params) => evaluatePolicy(policy, this.#input(review, match, params)));
    if (binding.actions.includes('Warn')) {
      for (const { message } of denials) review.addWarning(warning(policy, binding, message));
    }
    const [first] = denials;
    if (first === undefined || !binding.actions.includes('Deny')) return undefined;
    return denied(policy, binding, review, first);
  }

  #input(review: AdmissionReview, { language, matched }: Match, params: JsonObject | null): ExpressionInput {
    return {
      language,
      object: versionedObject(review.object, matched, review.resource),
      oldObject: versionedObject(review.oldObject, matched, review.resource),
      request: admissionRequest(review, matched),
      params,
      namespaceObject: this.#namespaceOf(review),
      authorizer: expressionAuthorizer(this.#deps.authorizer, review.user),
      budget: newBudget(language),
    };
  }

  #namespaceOf({ resource, namespace }: AdmissionReview): JsonObject | null {
    if (namespace === '' || isNamespace(resource)) return null;
    const found = this.#deps.store.get('namespaces', `/${namespace}`)?.value;
    if (found === undefined) throw notFoundError({ group: '', plural: 'namespaces' }, namespace);
    return found;
  }
}

function warning(policy: Policy, binding: PolicyBinding, message: string): string {
  return `Validation failed for ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}': ${message}`;
}

function denied(policy: Policy, binding: PolicyBinding, review: AdmissionReview, denial: PolicyDenial): StatusError {
  const why = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}' denied request: ${denial.message}`;
  const [reason, code] = CODES.get(denial.reason) ?? ['Invalid', 422];
  const refusal = forbiddenError(review.resource, reviewedName(review), why);
  const details = { ...refusal.status.details, causes: [{ message: why }] };
  return new StatusError({ code, reason, message: refusal.message, details });
}
