import type { JsonObject } from '@smalt/json';

import type { Catalog } from '../catalog/catalog.ts';
import { requireResource } from '../controllers/controller-dependencies.ts';
import { BINDING, bindPod, checkBinding } from '../controllers/pod-binding.ts';
import { EVICTION, evictPod } from '../controllers/pod-eviction.ts';
import { plainMethodNotAllowedError } from '../errors/make-status-error.ts';
import { creatingHandler } from '../http/creating-handler.ts';
import { deleteOptionsFromBody } from '../http/delete-options.ts';
import { writeContext } from '../http/read-write-request.ts';
import type { HandlerAnswer, ResourceCall, ResourceHandler, ResourceHandlers } from '../http/resource-handler.ts';
import { objectAt } from '../identity/object-fields.ts';
import type { Admission } from '../registry/admission.ts';
import { metadataText, withMetadata } from '../registry/object-metadata.ts';
import type { Registry } from '../registry/registry.ts';
import type { Store } from '../store/store.ts';
import { admitSubresource } from './admit-subresource.ts';
import { approveCertificate } from './approve-certificate.ts';

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
    ['certificates.k8s.io/certificatesigningrequests/approval', (call) => approveCertificate(deps, call)],
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
  const key = { namespace, name };
  const write = { name, subresource: 'binding', object: placed, resource: pods };
  const admitted = await admitSubresource(deps.admission, call, write, (object) =>
    checkBinding({ key, binding: object }),
  );
  await bindPod(deps.store, { pods, key, binding: admitted, dryRun: context.dryRun, now: deps.now() });
  return SUCCESS;
}

async function evict(deps: WorkloadDependencies, call: ResourceCall): Promise<JsonObject> {
  const { namespace, name } = call.info;
  const asked = await call.readBody(EVICTION);
  const context = writeContext(call, 'CreateOptions');
  const write = { name, subresource: 'eviction', object: asked, resource: call.resource };
  const eviction = await admitSubresource(deps.admission, call, write);
  const { isDryRun, ...options } = deleteOptionsFromBody(objectAt(eviction, 'deleteOptions'));
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
