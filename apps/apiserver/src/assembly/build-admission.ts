import type { Logger } from '@smalt/service-runtime';

import { AdmissionChain } from '../admission/admission-chain.ts';
import { checkCertificateRequest, completeCertificateRequest } from '../admission/certificate-requests.ts';
import { checkExpressions } from '../admission/check-expressions.ts';
import { defaultTolerations } from '../admission/default-tolerations.ts';
import { PodAccounts } from '../admission/pod-accounts.ts';
import { podPriority } from '../admission/pod-priority.ts';
import { warnOfUnenforcedLimits } from '../admission/unenforced-limits.ts';
import { ValidatingPolicies } from '../admission/validating-policies.ts';
import { Webhooks } from '../admission/webhooks.ts';
import type { EscalationDependencies } from '../authorization/check-escalation.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { AdmissionReview } from '../registry/admission.ts';
import type { Store } from '../store/store.ts';
import { guardPolicy } from './guard-policy.ts';

export interface AdmissionParts extends EscalationDependencies {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly authorizer: Authorizer;
  readonly log: Logger;
}

/** Puts together what writes have to pass: our own rules, the steps that are plugged in, policies, and webhooks last. */
export function buildAdmission(
  parts: AdmissionParts,
  stack: Pick<AsyncDisposableStack, 'use'>,
): { readonly admission: AdmissionChain; readonly plugged: AdmissionChain } {
  const { store, catalog, authorizer, log } = parts;
  const onIgnoredFailure = (webhook: string, error: unknown): void =>
    log.warn({ resource: webhook, error }, 'a webhook failed and was passed over');
  const webhooks = stack.use(new Webhooks({ store, catalog, authorizer, onIgnoredFailure }));
  const policies = stack.use(new ValidatingPolicies({ store, catalog, authorizer }));
  const plugged = new AdmissionChain();
  const rights = {
    mutate: completeCertificateRequest,
    validate: (review: AdmissionReview): void => checkCertificateRequest(authorizer, review),
  };
  const defaults = { mutate: defaultTolerations };
  const warnings = { mutate: warnOfUnenforcedLimits };
  const pods = [new PodAccounts(store), podPriority(store), defaults];
  const rules = new AdmissionChain().add(rights, ...pods, warnings, { validate: checkExpressions });
  const own = guardPolicy(rules, parts);
  return { admission: new AdmissionChain().add(own, plugged, policies, webhooks), plugged };
}
