import { checkEscalation, type EscalationDependencies } from '../authorization/check-escalation.ts';
import { RBAC_GROUP } from '../authorization/policy-binding.ts';
import { POLICY_PLURALS, type PolicyPlural } from '../authorization/policy-index.ts';
import type { Admission, AdmissionReview } from '../registry/admission.ts';

/** An admission that besides lets nobody hand out rights that they do not hold. */
export function guardPolicy(admission: Admission, deps: EscalationDependencies): Admission {
  return {
    mutate: (review, signal) => admission.mutate(review, signal),
    validate: async (review, signal) => {
      checkReview(deps, review);
      await admission.validate(review, signal);
    },
  };
}

function checkReview(deps: EscalationDependencies, review: AdmissionReview): void {
  const { resource, object, oldObject, user, namespace, name } = review;
  if (resource.group !== RBAC_GROUP || object === undefined || !isPolicyPlural(resource.plural)) return;
  checkEscalation(deps, { plural: resource.plural, user, namespace, name, object, oldObject });
}

function isPolicyPlural(plural: string): plural is PolicyPlural {
  return POLICY_PLURALS.some((candidate) => candidate === plural);
}
