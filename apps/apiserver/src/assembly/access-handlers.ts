import { reviewLocalAccess, reviewOwnAccess, reviewSubjectAccess } from '../authorization/access-review.ts';
import type { Authorizer } from '../authorization/authorizer.ts';
import type { PolicyIndex } from '../authorization/policy-index.ts';
import { reviewOwnRules } from '../authorization/rules-review.ts';
import { creatingHandler } from '../http/creating-handler.ts';
import type { ResourceHandler, ResourceHandlers } from '../http/resource-handler.ts';

const GROUP = 'authorization.k8s.io';

/** The reviews that tell who may do what. */
export function accessHandlers(authorizer: Authorizer, policy: PolicyIndex): ResourceHandlers {
  return new Map<string, ResourceHandler>([
    [
      `${GROUP}/subjectaccessreviews`,
      creatingHandler(async (call) => reviewSubjectAccess(authorizer, await call.readBody(call.resource))),
    ],
    [
      `${GROUP}/selfsubjectaccessreviews`,
      creatingHandler(async (call) => reviewOwnAccess(authorizer, call.user, await call.readBody(call.resource))),
    ],
    [
      `${GROUP}/localsubjectaccessreviews`,
      creatingHandler(async (call) =>
        reviewLocalAccess(authorizer, call.info.namespace, await call.readBody(call.resource)),
      ),
    ],
    [
      `${GROUP}/selfsubjectrulesreviews`,
      creatingHandler(async (call) => reviewOwnRules(policy, call.user, await call.readBody(call.resource))),
    ],
  ]);
}
