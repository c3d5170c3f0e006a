import { isJsonObject, type JsonObject, type JsonValue } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import type { Catalog } from '../catalog/catalog.ts';
import type { Registry } from '../registry/registry.ts';
import { storageName } from '../registry/storage-name.ts';
import type { Store } from '../store/store.ts';
import { systemContext } from './system-context.ts';

const GROUP = 'apiextensions.k8s.io';

export interface DefinitionsDependencies {
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly store: Store;
  readonly signal: AbortSignal;
  readonly onFailure: (name: string, error: unknown) => void;
}

/** Serves the kinds that CustomResourceDefinitions declare, as long as they exist. Resolves when all that exist are served. */
export async function followDefinitions(deps: DefinitionsDependencies): Promise<() => void> {
  const definitions = deps.catalog.find(GROUP, 'v1', 'customresourcedefinitions');
  if (definitions === undefined) throw new TypeError('customresourcedefinitions are not served');
  const storage = storageName(definitions);
  const serve = (name: string): Promise<void> =>
    serveDefinition(deps, definitions, name).catch((error: unknown) => deps.onFailure(name, error));
  const unsubscribe = deps.store.subscribe(storage, (events) => {
    for (const { object } of events) void serve(object.name);
  });
  await Promise.all(deps.store.range(storage).map(({ name }) => serve(name)));
  return unsubscribe;
}

async function serveDefinition(deps: DefinitionsDependencies, definitions: Resource, name: string): Promise<void> {
  // Schemas and rules take memory, which a server without custom kinds need not spend.
  const { crdResource } = await import('@smalt/structural-schema');
  const crd = deps.store.get(storageName(definitions), `/${name}`)?.value;
  if (crd === undefined) {
    deps.catalog.replace(name, []);
    return;
  }
  const versions = listOf(specOf(crd)['versions']).filter((version) => version['served'] === true);
  deps.catalog.replace(
    name,
    versions.map((version) => crdResource(crd, textOf(version['name']))),
  );
  const status = statusOf(crd);
  if (status === undefined) return;
  const options = { context: systemContext(deps.signal), subresource: 'status' } as const;
  await deps.registry.update(definitions, { namespace: '', name }, { ...crd, status }, options);
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

function specOf(crd: JsonObject): JsonObject {
  const spec = crd['spec'];
  return isJsonObject(spec) ? spec : {};
}

function listOf(value: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter((item: JsonValue) => isJsonObject(item)) : [];
}

function statusOf(crd: JsonObject): JsonObject | undefined {
  const status = crd['status'];
  if (isJsonObject(status) && listOf(status['conditions']).some((condition) => condition['type'] === 'Established'))
    return undefined;
  const spec = specOf(crd);
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  const storage = listOf(spec['versions']).find((version) => version['storage'] === true);
  return {
    conditions: [
      {
        type: 'NamesAccepted',
        status: 'True',
        lastTransitionTime,
        reason: 'NoConflicts',
        message: 'no conflicts found',
      },
      {
        type: 'Established',
        status: 'True',
        lastTransitionTime,
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      },
    ],
    acceptedNames: spec['names'] ?? {},
    storedVersions: storage === undefined ? [] : [storage['name'] ?? ''],
  };
}
