import type { JsonObject } from '@smalt/json';

import { approveRequest } from '../controllers/certificate-approval.ts';
import { plainMethodNotAllowedError } from '../errors/make-status-error.ts';
import { checkPatchOptions, parseForce, patchKind, toPatch } from '../http/patch-body.ts';
import { readPatch, writeContext } from '../http/read-write-request.ts';
import type { HandlerAnswer, ResourceCall } from '../http/resource-handler.ts';
import { acceptObject } from '../registry/accept-object.ts';
import type { Admission, AdmissionReview } from '../registry/admission.ts';
import { applyPatch } from '../registry/apply-patch.ts';
import { checkName } from '../registry/check-name.ts';
import { FieldOwners } from '../registry/field-owners.ts';
import { pruneObject } from '../registry/prune-object.ts';
import type { Registry } from '../registry/registry.ts';
import type { WriteContext } from '../registry/write-context.ts';
import type { Store } from '../store/store.ts';
import { subresourceReview } from './subresource-review.ts';

export interface ApprovalDependencies {
  readonly store: Store;
  readonly registry: Registry;
  readonly admission: Admission;
  readonly now: () => number;
}

type Revise = (live: JsonObject) => JsonObject;

/** Answers a call to the approval of a CertificateSigningRequest. */
export async function approveCertificate(deps: ApprovalDependencies, call: ResourceCall): Promise<HandlerAnswer> {
  const { resource, info } = call;
  const { name, verb } = info;
  if (verb === 'get') return { code: 200, object: (await deps.registry.get(resource, { namespace: '', name })).value };
  if (verb !== 'update' && verb !== 'patch') throw plainMethodNotAllowedError();
  const context = writeContext(call, verb === 'update' ? 'UpdateOptions' : 'PatchOptions');
  const revise = verb === 'update' ? await replacement(call, context) : await patching(deps, call, context);
  const review = (object: JsonObject, oldObject: JsonObject): AdmissionReview =>
    subresourceReview(call, { name, subresource: 'approval', object, oldObject, resource });
  const object = await approveRequest(deps.store, {
    requests: resource,
    name,
    revise: (live) => {
      const wanted = revise(live);
      checkName(resource, { namespace: '', name }, wanted);
      return wanted;
    },
    mutate: async (wanted, live) => (await deps.admission.mutate(review(wanted, live), context.signal)) ?? wanted,
    validate: (next, live) => deps.admission.validate(review(next, live), context.signal),
    dryRun: context.dryRun,
    now: deps.now(),
  });
  return { code: 200, object };
}

async function replacement(call: ResourceCall, context: WriteContext): Promise<Revise> {
  const object = acceptObject(call.resource, await call.readBody(call.resource), context);
  return () => object;
}

// The patch is not taken through the status, which others may write than those who approve.
async function patching(deps: ApprovalDependencies, call: ResourceCall, context: WriteContext): Promise<Revise> {
  const { exchange, resource, info } = call;
  const kind = patchKind(exchange.header('content-type'), resource);
  checkPatchOptions(info.query, kind);
  const { value, duplicateFields } = await readPatch(exchange, kind, context.fieldValidation !== 'Ignore');
  const patch = toPatch(kind, value, parseForce(info.query) === true);
  if (patch.kind === 'apply') {
    const owner = { resource, subresource: 'status', manager: context.fieldManager, now: deps.now() } as const;
    const owners = new FieldOwners();
    return (live) => acceptObject(resource, owners.apply(owner, live, patch.body, patch.force), context);
  }
  const patchable = { schema: resource.schema, prune: (object: JsonObject) => pruneObject(resource, object) };
  return (live) => resource.strategy.default(applyPatch(patchable, live, patch, { ...context, duplicateFields }));
}
