import type { JsonObject } from '@smalt/json';
import { invalid, type Resource } from '@smalt/resource';

import {
  badRequestError,
  conflictError,
  invalidError,
  notFoundError,
  unsupportedMediaTypeError,
} from '../errors/make-status-error.ts';
import { reportProblems, strictProblems } from './accept-object.ts';
import { applyPatch, type ChangePatch } from './apply-patch.ts';
import { checkName } from './check-name.ts';
import { apiVersionOf, metadataText } from './object-metadata.ts';
import { CUSTOM_RESOURCE_PATCH_TYPES, type Patch } from './patch.ts';
import { placeInNamespace } from './place-in-namespace.ts';
import { pruneObject } from './prune-object.ts';
import type { RegistryDependencies } from './registry-dependencies.ts';
import { reviseObject, type RevisionResult } from './revise-object.ts';
import { updateOptions } from './update-object.ts';
import type { ObjectKey, Subresource, WriteContext } from './write-context.ts';

export interface PatchRequest {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly patch: Patch;
  readonly context: WriteContext;
  readonly subresource: Subresource;
}

/** Changes an object, or its status, as a patch says; a patch of kind `apply` makes the object when there is none. */
export async function patchObject(deps: RegistryDependencies, request: PatchRequest): Promise<RevisionResult> {
  const { resource, key, patch, context, subresource } = request;
  if (patch.kind === 'strategic' && !resource.isBuiltIn) throw unsupportedMediaTypeError(CUSTOM_RESOURCE_PATCH_TYPES);
  return reviseObject(deps, {
    resource,
    key,
    subresource,
    context,
    checksUid: false,
    mayCreate: patch.kind === 'apply',
    revise: (live) => {
      const object = patch.kind === 'apply' ? applied(deps, request, patch, live) : patched(deps, request, patch, live);
      checkPatchedUid(request, object, live);
      const placed = placeInNamespace(resource, key.namespace, object);
      checkName(resource, key, placed);
      return placed;
    },
    options: updateOptions(context),
  });
}

function patched(
  deps: RegistryDependencies,
  request: PatchRequest,
  patch: ChangePatch,
  live: JsonObject | undefined,
): JsonObject {
  const { resource, context, subresource } = request;
  if (live === undefined) throw notFoundError(resource, request.key.name);
  const { schema, strategy } = resource;
  const patchable = { schema, prune: (value: JsonObject) => pruneObject(resource, value) };
  const object = applyPatch(patchable, live, patch, context);
  checkKindKept(resource, object);
  const owner = { resource, subresource, manager: context.fieldManager, now: deps.now() };
  return deps.owners.record(owner, live, strategy.default(object));
}

// A built-in kind is what its path says; a custom resource could be turned into another.
function checkKindKept(resource: Resource, object: JsonObject): void {
  if (resource.isBuiltIn) return;
  const { apiVersion = '', kind = '' } = object;
  const expected = apiVersionOf(resource);
  const errors = [
    ...(kind === resource.kind ? [] : [invalid('kind', kind, `must be ${resource.kind}`)]),
    ...(apiVersion === expected ? [] : [invalid('apiVersion', apiVersion, `must be ${expected}`)]),
  ];
  const group = typeof apiVersion === 'string' && apiVersion.includes('/') ? apiVersion.replace(/\/.*/, '') : '';
  const found = { group, kind: typeof kind === 'string' ? kind : '' };
  if (errors.length > 0) throw invalidError(found, metadataText(object, 'name'), errors);
}

function applied(
  deps: RegistryDependencies,
  request: PatchRequest,
  patch: Extract<Patch, { readonly kind: 'apply' }>,
  live: JsonObject | undefined,
): JsonObject {
  const { resource, context, subresource } = request;
  const owner = { resource, subresource, manager: context.fieldManager, now: deps.now() };
  const result = deps.owners.apply(owner, live, patch.body, patch.force);
  const pruned = pruneObject(resource, result);
  if (pruned.misfit !== undefined) throw badRequestError(`error decoding YAML: ${pruned.misfit}`);
  const problems = strictProblems(pruned.unknownFields, context.duplicateFields);
  if (problems.length > 0) {
    reportProblems(problems, context, (why) => badRequestError(`error strict decoding YAML: ${why}`));
  }
  return resource.strategy.default(pruned.object);
}

function checkPatchedUid(request: PatchRequest, object: JsonObject, live: JsonObject | undefined): void {
  const uid = metadataText(object, 'uid');
  if (live !== undefined || uid === '') return;
  const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflictError(request.resource, request.key.name, why);
}
