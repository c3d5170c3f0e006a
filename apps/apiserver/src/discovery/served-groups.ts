import type { Resource } from '@smalt/resource';

import { compareText, compareVersions, groupPriority } from './group-priority.ts';

/** A group with its versions, the preferred one first. */
export interface ServedGroup {
  readonly name: string;
  readonly versions: readonly ServedVersion[];
}

export interface ServedVersion {
  readonly version: string;
  /** By plural name. */
  readonly resources: readonly Resource[];
}

/** The groups of all resources in the order of discovery; the core group, whose name is empty, is among them. */
export function servedGroups(resources: Iterable<Resource>): readonly ServedGroup[] {
  const groups = new Map<string, Map<string, Resource[]>>();
  for (const resource of resources) {
    const versions = groups.get(resource.group) ?? new Map<string, Resource[]>();
    groups.set(resource.group, versions);
    const others = versions.get(resource.version);
    if (others === undefined) versions.set(resource.version, [resource]);
    else others.push(resource);
  }
  return [...groups]
    .map(([name, versions]) => ({ name, versions: sortedVersions(versions) }))
    .toSorted(
      (left, right) => groupPriority(right.name) - groupPriority(left.name) || compareText(left.name, right.name),
    );
}

function sortedVersions(versions: ReadonlyMap<string, readonly Resource[]>): readonly ServedVersion[] {
  return [...versions]
    .map(([version, resources]) => ({
      version,
      resources: resources.toSorted((left, right) => compareText(left.plural, right.plural)),
    }))
    .toSorted((left, right) => compareVersions(left.version, right.version));
}

/** `v1` of the core group, else `apps/v1`. */
export function groupVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}
