import { createHash } from 'node:crypto';

import type { JsonObject } from '@smalt/json';
import type { Resource } from '@smalt/resource';

import { groupVersion, type ServedGroup, type ServedVersion } from './served-groups.ts';
import { subresourcesOf } from './subresources.ts';

/** What `/api` answers: the versions of the core group and where the server is. */
export function coreVersions(groups: readonly ServedGroup[], address: string): JsonObject {
  const core = groups.find((group) => group.name === '');
  return {
    kind: 'APIVersions',
    versions: core?.versions.map(({ version }) => version) ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: address }],
  };
}

/** What `/apis` answers: every group but the core one. */
export function groupList(groups: readonly ServedGroup[]): JsonObject {
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: groups.filter(({ name }) => name !== '').map(groupEntry) };
}

/** What `/apis/<group>` answers. */
export function groupDocument(group: ServedGroup): JsonObject {
  return { kind: 'APIGroup', apiVersion: 'v1', ...groupEntry(group) };
}

function groupEntry(group: ServedGroup): JsonObject {
  const versions = group.versions.map(({ version }) => ({ groupVersion: groupVersion(group.name, version), version }));
  return { name: group.name, versions, preferredVersion: versions[0] ?? {} };
}

/** What `/apis/<group>/<version>` answers: each resource followed by its subresources. */
export function resourceList(group: string, served: ServedVersion): JsonObject {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion: groupVersion(group, served.version),
    resources: served.resources.flatMap(resourceEntries),
  };
}

function resourceEntries(resource: Resource): readonly JsonObject[] {
  const { group, version, plural, isNamespaced } = resource;
  const main = {
    name: plural,
    singularName: resource.singular,
    namespaced: isNamespaced,
    kind: resource.kind,
    verbs: resource.verbs,
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
    ...(resource.verbs.includes('list') ? { storageVersionHash: storageVersionHash(resource) } : {}),
  };
  const others = subresourcesOf(resource).map((subresource) => ({
    name: `${plural}/${subresource.name}`,
    singularName: '',
    namespaced: isNamespaced,
    ...(subresource.group === group && subresource.version === version
      ? {}
      : { group: subresource.group, version: subresource.version }),
    kind: subresource.kind,
    verbs: subresource.verbs,
  }));
  // Of something that another group serves there may be nothing here but subresources.
  return resource.kind === '' && others.length > 0 ? others : [main, ...others];
}

function storageVersionHash(resource: Resource): string {
  const text = `${groupVersion(resource.group, resource.version)}/${resource.kind}`;
  return createHash('sha256').update(text).digest().subarray(0, 8).toString('base64');
}

/** The aggregated form of discovery, all of it in one answer. */
export function aggregatedDiscovery(groups: readonly ServedGroup[], version: 'v2' | 'v2beta1'): JsonObject {
  const items = groups.map((group) => ({
    metadata: group.name === '' ? {} : { name: group.name },
    versions: group.versions.map((served) => ({
      version: served.version,
      resources: served.resources.map(aggregatedResource),
      freshness: 'Current',
    })),
  }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: `apidiscovery.k8s.io/${version}`, metadata: {}, items };
}

function aggregatedResource(resource: Resource): JsonObject {
  const { group, version, kind } = resource;
  // Built-in kinds leave out what the document around says already.
  const own = resource.isBuiltIn ? { group: '', version: '' } : { group, version };
  const subresources = subresourcesOf(resource).map((subresource) => {
    const isOwn = subresource.group === group && subresource.version === version;
    const home = isOwn ? own : { group: subresource.group, version: subresource.version };
    return {
      subresource: subresource.name,
      responseKind: { ...home, kind: subresource.kind },
      verbs: subresource.verbs,
    };
  });
  return {
    resource: resource.plural,
    responseKind: kind === '' ? { group: '', version: '', kind: '' } : { ...own, kind },
    scope: resource.isNamespaced ? 'Namespaced' : 'Cluster',
    singularResource: resource.singular,
    verbs: resource.verbs,
    ...(resource.shortNames.length === 0 ? {} : { shortNames: resource.shortNames }),
    ...(resource.categories.length === 0 ? {} : { categories: resource.categories }),
    ...(subresources.length === 0 ? {} : { subresources }),
  };
}
