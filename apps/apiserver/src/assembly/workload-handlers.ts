import type { JsonObject } from '@smalt/json';

import type { Catalog } from '../catalog/catalog.ts';
import { approveRequest } from '../controllers/certificate-approval.ts';
import { requireResource } from '../controllers/controller-dependencies.ts';
import { BINDING, bindPod, checkBinding } from '../controllers/pod-binding.ts';
import { EVICTION, evictPod } from '../controllers/pod-eviction.ts';
import { plainMethodNotAllowedError } from '../errors/make-status-error.ts';
import { creatingHandler } from '../http/creating-handler.ts';
import { deleteOptionsFromBody } from '../http/delete-options.ts';
import { checkPatchOptions, parseForce, patchKind, toPatch } from '../http/patch-body.ts';
import { readPatch, writeContext } from '../http/read-write-request.ts';
import type { HandlerAnswer, ResourceCall, ResourceHandler, ResourceHandlers } from '../http/resource-handler.ts';
import { objectAt } from '../identity/object-fields.ts';
import type { Admission, AdmissionReview } from '../registry/admission.ts';
import { metadataText, withMetadata } from '../registry/object-metadata.ts';
import type { Registry } from '../registry/registry.ts';
import type { Store } from '../store/store.ts';

const SUCCESS: JsonObject = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };

export interface WorkloadDependencies {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly admission: Admission;
  readonly now: () => number;
}

/** The subresources that give pods to nodes and take them away, empty namespaces, and approve certificates. */
export function workloadHandlers(deps: WorkloadDependencies): ResourceHandlers {
  return new Map<string, ResourceHandler>([
    ['/pods/binding', creatingHandler(async (call) => bind(deps, call, await call.readBody(BINDING), call.info.name))],
    [
      '/bindings',
      creatingHandler(async (call) => {
        const binding = await call.readBody(BINDING);
        return bind(deps, call, binding, metadataText(binding, 'name'));
      }),
    ],
    ['/pods/eviction', creatingHandler((call) => evict(deps, call))],
    ['/namespaces/finalize', (call) => finalize(deps, call)],
    ['certificates.k8s.io/certificatesigningrequests/approval', (call) => approve(deps, call)],
  ]);
}

async function bind(
  deps: WorkloadDependencies,
  call: ResourceCall,
  binding: JsonObject,
  name: string,
): Promise<JsonObject> {
  const pods = requireResource(deps.catalog, '', 'v1', 'pods');
  const { namespace } = call.info;
  const context = writeContext(call, 'CreateOptions');
  const placed = withMetadata(binding, { namespace });
  checkBinding({ key: { namespace, name }, binding: placed });
  await admit(deps, call, { name, subresource: 'binding', object: placed, resource: pods });
  const { dryRun } = context;
  await bindPod(deps.store, { pods, key: { namespace, name }, binding: placed, dryRun, now: deps.now() });
  return SUCCESS;
}

async function evict(deps: WorkloadDependencies, call: ResourceCall): Promise<JsonObject> {
  const { namespace, name } = call.info;
  const eviction = await call.readBody(EVICTION);
  const { isDryRun, ...options } = deleteOptionsFromBody(objectAt(eviction, 'deleteOptions'));
  const context = writeContext(call, 'CreateOptions');
  await admit(deps, call, { name, subresource: 'eviction', object: eviction, resource: call.resource });
  const { store, registry, catalog, now } = deps;
  const budgets = requireResource(catalog, 'policy', 'v1', 'poddisruptionbudgets');
  const request = {
    key: { namespace, name },
    eviction,
    options,
    context: { ...context, dryRun: context.dryRun || isDryRun },
  };
  await evictPod({ store, registry, pods: call.resource, budgets, now }, request);
  return SUCCESS;
}

async function finalize(deps: WorkloadDependencies, call: ResourceCall): Promise<HandlerAnswer> {
  if (call.info.verb !== 'update') throw plainMethodNotAllowedError();
  const object = await call.readBody(call.resource);
  const options = { context: writeContext(call, 'UpdateOptions'), subresource: 'finalize' } as const;
  const result = await deps.registry.update(call.resource, { namespace: '', name: call.info.name }, object, options);
  return { code: 200, object: result.object.value };
}

async function approve(deps: WorkloadDependencies, call: ResourceCall): Promise<HandlerAnswer> {
  const { resource, info } = call;
  const { name, verb } = info;
  const key = { namespace: '', name };
  if (verb === 'get') return { code: 200, object: (await deps.registry.get(resource, key)).value };
  if (verb !== 'update' && verb !== 'patch') throw plainMethodNotAllowedError();
  const context = writeContext(call, verb === 'update' ? 'UpdateOptions' : 'PatchOptions');
  const object = verb === 'update' ? await call.readBody(resource) : await patched(deps, call);
  const approval = { requests: resource, name, object, dryRun: context.dryRun, now: deps.now() };
  const check = (next: JsonObject, live: JsonObject): Promise<void> =>
    admit(deps, call, { name, subresource: 'approval', object: next, oldObject: live, resource });
  return { code: 200, object: await approveRequest(deps.store, { ...approval, check }) };
}

// What a patch makes of the request is found out without storing it; then it goes the way of an update.
async function patched(deps: WorkloadDependencies, call: ResourceCall): Promise<JsonObject> {
  const { exchange, resource, info } = call;
  const kind = patchKind(exchange.header('content-type'), resource);
  checkPatchOptions(info.query, kind);
  const body = await readPatch(exchange, kind, false);
  const patch = toPatch(kind, body.value, parseForce(info.query) === true);
  const context = { ...writeContext(call, 'PatchOptions'), dryRun: true };
  const options = { context, subresource: 'status' } as const;
  return (await deps.registry.patch(resource, { namespace: '', name: info.name }, patch, options)).object.value;
}

type AdmittedPart = Pick<AdmissionReview, 'name' | 'subresource' | 'resource'> & {
  readonly object: JsonObject;
  readonly oldObject?: JsonObject;
};

async function admit(deps: WorkloadDependencies, call: ResourceCall, part: AdmittedPart): Promise<void> {
  const isUpdate = part.oldObject !== undefined;
  const kind = isUpdate ? 'UpdateOptions' : 'CreateOptions';
  const { dryRun, addWarning, signal } = writeContext(call, kind);
  const review: AdmissionReview = {
    operation: isUpdate ? 'UPDATE' : 'CREATE',
    namespace: call.info.namespace,
    user: call.user,
    dryRun,
    options: { kind, apiVersion: 'meta.k8s.io/v1' },
    addWarning,
    ...part,
    oldObject: part.oldObject,
  };
  const object = await deps.admission.mutate(review, signal);
  await deps.admission.validate({ ...review, object }, signal);
}
