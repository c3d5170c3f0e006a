import { isJsonObject, printJson, type JsonObject } from '@smalt/json';
import { fromScaleManagedFields, recordUpdate, type Endpoint } from '@smalt/managed-fields';
import { invalid, type Resource, type ScaleMapping } from '@smalt/resource';

import {
  badRequestError,
  internalServerError,
  invalidError,
  unknownResourceError,
  unsupportedMediaTypeError,
} from '../errors/make-status-error.ts';
import { applyPatch, type Patchable } from './apply-patch.ts';
import { checkName } from './check-name.ts';
import { applyOrRefuse } from './field-owners.ts';
import { getObject } from './get-object.ts';
import { apiVersionOf, metadataOf, metadataText, withMetadata } from './object-metadata.ts';
import { CUSTOM_RESOURCE_PATCH_TYPES, type Patch } from './patch.ts';
import type { RegistryDependencies } from './registry-dependencies.ts';
import { reviseObject } from './revise-object.ts';
import { replicasAt, SCALE_SCHEMA, scaleOf, withPath } from './scale-view.ts';
import { updateOptions } from './update-object.ts';
import type { ObjectKey, WriteContext } from './write-context.ts';

const SCALE_VERSION = 'autoscaling/v1';

const ENDPOINT: Endpoint = {
  schema: SCALE_SCHEMA,
  apiVersion: SCALE_VERSION,
  kind: 'Scale',
  subresource: 'scale',
  isBuiltIn: true,
  resetFields: [],
};

const PATCHABLE_SCALE: Patchable = {
  schema: SCALE_SCHEMA,
  prune: (object) => {
    const misfit = scaleMisfit(object);
    return misfit === undefined ? { object, unknownFields: [] } : { misfit };
  },
};

export interface ScaleRequest {
  readonly resource: Resource;
  readonly key: ObjectKey;
  /** A whole Scale, or a patch of one. */
  readonly change: { readonly kind: 'replace'; readonly scale: JsonObject } | Patch;
  readonly context: WriteContext;
}

/** The Scale of an object. */
export async function getScale(deps: RegistryDependencies, resource: Resource, key: ObjectKey): Promise<JsonObject> {
  const mapping = mappingOf(resource);
  const object = await getObject(deps, resource, key);
  if (!resource.isBuiltIn && replicasAt(object.value, mapping.specReplicas) === undefined) {
    throw internalServerError(`the spec replicas field "${printPath(mapping)}" does not exist`);
  }
  return shownScale(resource, mapping, object.value);
}

/** Sets how many there should be, by way of the Scale of an object. */
export async function changeScale(deps: RegistryDependencies, request: ScaleRequest): Promise<JsonObject> {
  const { resource, key, context, change } = request;
  const mapping = mappingOf(resource);
  if (change.kind === 'strategic' && !resource.isBuiltIn) throw unsupportedMediaTypeError(CUSTOM_RESOURCE_PATCH_TYPES);
  const { object } = await reviseObject(deps, {
    resource,
    key,
    subresource: '',
    context,
    checksUid: true,
    mayCreate: false,
    revise: (live) => withScale(deps, request, mapping, live ?? {}),
    options: updateOptions(context),
  });
  return shownScale(resource, mapping, object.value);
}

// Owners are kept on the object; its Scale has them only while it is being changed.
function shownScale(resource: Resource, mapping: ScaleMapping, object: JsonObject): JsonObject {
  return withMetadata(scaleOf(resource, mapping, object), { managedFields: undefined });
}

function negativeReplicas(resource: Resource, mapping: ScaleMapping, name: string, replicas: number): Error {
  if (!resource.isBuiltIn) {
    const why = 'should be a non-negative integer';
    return invalidError(resource, name, [invalid(printPath(mapping), replicas, why)]);
  }
  const error = invalid('spec.replicas', replicas, 'must be greater than or equal to 0');
  return invalidError({ group: 'autoscaling', kind: 'Scale' }, name, [error]);
}

function withScale(
  deps: RegistryDependencies,
  request: ScaleRequest,
  mapping: ScaleMapping,
  live: JsonObject,
): JsonObject {
  const { resource, key } = request;
  const before = scaleOf(resource, mapping, live);
  const scale = changedScale(request, before, new Date(deps.now()));
  checkName(resource, key, scale);
  const replicas = replicasAt(scale, ['spec', 'replicas']) ?? 0;
  if (replicas < 0) throw negativeReplicas(resource, mapping, key.name, replicas);
  const apiVersion = apiVersionOf(resource);
  const managedFields = fromScaleManagedFields({
    entries: metadataOf(live)['managedFields'],
    scaleEntries: metadataOf(scale)['managedFields'],
    apiVersion,
    paths: { [apiVersion]: mapping.specReplicas },
  });
  const resourceVersion = metadataText(scale, 'resourceVersion') || metadataText(live, 'resourceVersion');
  const uid = metadataText(scale, 'uid') || metadataText(live, 'uid');
  return withMetadata(withPath(live, mapping.specReplicas, replicas), { managedFields, resourceVersion, uid });
}

function changedScale(request: ScaleRequest, before: JsonObject, now: Date): JsonObject {
  const { change, context } = request;
  const manager = context.fieldManager;
  switch (change.kind) {
    case 'apply':
      return applyOrRefuse(ENDPOINT, { live: before, applied: change.body, manager, force: change.force, now });
    case 'replace':
      checkScaleKind(change.scale);
      return recordUpdate(ENDPOINT, { live: before, updated: change.scale, manager, now });
    case 'json':
    case 'merge':
    case 'strategic': {
      const updated = applyPatch(PATCHABLE_SCALE, before, change, context);
      return recordUpdate(ENDPOINT, { live: before, updated, manager, now });
    }
  }
}

function checkScaleKind(scale: JsonObject): void {
  const { kind = 'Scale', apiVersion = SCALE_VERSION } = scale;
  if (kind !== 'Scale' || apiVersion !== SCALE_VERSION) {
    throw badRequestError(
      `the API version in the data (${printJson(apiVersion)}) does not match the expected API version (${SCALE_VERSION})`,
    );
  }
  const misfit = scaleMisfit(scale);
  if (misfit !== undefined) throw badRequestError(`Scale in version "v1" cannot be handled as a Scale: ${misfit}`);
}

function scaleMisfit({ spec }: JsonObject): string | undefined {
  const replicas = isJsonObject(spec) ? (spec['replicas'] ?? 0) : 0;
  if (typeof replicas === 'number' && Number.isInteger(replicas)) return undefined;
  return `json: cannot unmarshal ${typeof replicas} into Go struct field ScaleSpec.spec.replicas of type int32`;
}

function mappingOf(resource: Resource): ScaleMapping {
  if (resource.scale === undefined) throw unknownResourceError();
  return resource.scale;
}

function printPath(mapping: ScaleMapping): string {
  return `.${mapping.specReplicas.join('.')}`;
}
